import type { CheckGroup, CheckState, GoLiveCheck } from "../../domain/go-live/go-live.ts";
import type { StripeInspector } from "../payments/stripe/inspect.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/database.ts";

/** What the go-live check works with, inside the running shop and beside it. */
export type DoctorParts = {
  config: Config;
  db: Database;
  /** Null: payments are simulated. */
  stripe: StripeInspector | null;
  now(): Date;
};

/** A result, before it is known which check's it is. */
export type CheckResult = Pick<GoLiveCheck, "state" | "detail"> & Partial<Pick<GoLiveCheck, "todo" | "link">>;

export const ok = (detail: string): CheckResult => ({ state: "ok", detail });
const result =
  (state: CheckState) =>
  (detail: string, todo: string, link?: GoLiveCheck["link"]): CheckResult => ({
    state,
    detail,
    todo,
    link: link ?? null,
  });
export const warning = result("warning");
export const problem = result("problem");

/** "Nov 21, 2026, 10:23 PM UTC" */
export function when(at: Date): string {
  const text = new Intl.DateTimeFormat("en-US", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(at);
  return `${text} UTC`;
}

export type Check = {
  id: string;
  group: CheckGroup;
  title: string;
  run(parts: DoctorParts): Promise<CheckResult> | CheckResult;
};

export const settingsLink = { to: "/admin/settings", label: "Settings" };
