import * as v from "valibot";
import { requiredLine } from "../shared/required-text.ts";
import { isDate } from "../shared/zoned-days.ts";
import { nonOwnerRoles } from "./roles.ts";

/** Maximum number of calls per minute with one key; further ones get 429 with `Retry-After`. */
export const apiKeyCallsPerMinute = 300;
export const maxApiKeys = 50;

/** A key by which another program calls the API in one role. Times ISO 8601 UTC. */
export const apiKeySchema = v.object({
  id: v.string(),
  name: v.string(),
  role: v.picklist(nonOwnerRoles),
  /** The last day (`YYYY-MM-DD`, in the shop's zone) on which it works; null if it has no end. */
  expiresOn: v.nullable(v.string()),
  isExpired: v.boolean(),
  createdAt: v.string(),
  /** Accurate to five minutes; null if it was never used. */
  lastUsedAt: v.nullable(v.string()),
  /** The network address of that use. */
  lastAddress: v.nullable(v.string()),
});
export type ApiKey = v.InferOutput<typeof apiKeySchema>;

/** `key`: shown once; the shop stores its hash. */
export const newApiKeyResponseSchema = v.object({ ...apiKeySchema.entries, key: v.string() });

export const newApiKeySchema = v.object({
  name: requiredLine(80, "Enter a name"),
  role: v.picklist(nonOwnerRoles, "Choose a role"),
  expiresOn: v.optional(v.nullable(v.pipe(v.string(), v.check(isDate, "A date: 2026-11-20")))),
});
