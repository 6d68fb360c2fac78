import * as v from "valibot";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { requestLookup } from "../orders/lookup.ts";
import { problem } from "../platform/problem.ts";
import { type DeletionParts, spendDeletionLink } from "./deletion.ts";
import { spendExportLink } from "./export.ts";

const tag = "Personal data";
const tokenSchema = v.pipe(
  v.string("Is required"),
  v.minLength(1, "Is required"),
  v.maxLength(200, "Too long"),
);
const usedUp = "The link was used before or is older than an hour";

export function privacyApi(parts: DeletionParts): AnyApiRow[] {
  return [
    ask("export", "Send a link to an address that downloads what the shop stores about it"),
    ask("deletion", "Send a link to an address that deletes what the shop stores about it"),
    route("POST /api/account/export/use", {
      tag,
      summary: "Use an e-mailed link up: all that is stored about its address",
      access: "anyone",
      limit: "lookup",
      body: v.object({ token: tokenSchema }),
      answers: {
        200: "`{format, version, email, madeAt, isComplete, orders, reviews, contactMessages, emails, carts, cartReminders, links, unsubscribedFrom}`",
        404: usedUp,
      },
      handle: async (_ctx, { body }) => {
        const data = await spendExportLink(parts.db, { token: body.token, now: parts.now() });
        return data ? ok(data) : gone();
      },
    }),
    route("POST /api/account/deletion/use", {
      tag,
      summary: "Use an e-mailed link up: what is stored about its address is deleted",
      access: "anyone",
      limit: "lookup",
      body: v.object({
        token: tokenSchema,
        confirm: v.literal(true, "Please confirm that your data may be deleted"),
      }),
      answers: {
        202: "It is under way. `{kept: [{number, because}]}`: orders that still need their buyer's data, and why",
        404: usedUp,
      },
      handle: async (_ctx, { body }) => {
        const kept = await spendDeletionLink(parts, body.token);
        return kept ? { status: 202, body: { success: true, data: { kept } } } : gone();
      },
    }),
  ];

  function ask(purpose: "export" | "deletion", summary: string): AnyApiRow {
    return route(`POST /api/account/${purpose}`, {
      tag,
      summary,
      access: "anyone",
      limit: "lookup",
      body: v.object({ email: emailSchema }),
      answers: { 202: "Always the same, whether or not the address is known" },
      handle: async (_ctx, { body }) => {
        await requestLookup(parts.db, { email: body.email, purpose });
        const message = "If we store anything about this address, a link is on its way.";
        return { status: 202, body: { success: true, data: { message } } };
      },
    });
  }
}

function gone() {
  return problem(
    "not_found",
    "This link was used before or is older than an hour. Please ask for a new one.",
  );
}
