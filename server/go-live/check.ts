import type { CheckGroup, CheckState, GoLiveCheck } from "../../domain/go-live/go-live.ts";
import type { ShopContext } from "../context.ts";
import { createStripeInspector, type StripeInspector } from "../payment-providers/stripe/inspect.ts";
import { readSettings } from "../settings/queries.ts";

/** The part of the context that checks use; `npm run doctor` creates only this part. */
export type CheckContext = Pick<ShopContext, "config" | "db" | "now"> & {
  /** Null if payments are simulated. */
  stripe: StripeInspector | null;
};

export function checkContext(ctx: Pick<ShopContext, "config" | "db" | "now" | "log">): CheckContext {
  const { config, log } = ctx;
  const isReal = config.payments === "stripe" && config.stripe !== null;
  return {
    ...ctx,
    stripe: isReal && config.stripe ? createStripeInspector({ ...config.stripe, log }) : null,
  };
}

export type CheckResult = Pick<GoLiveCheck, "state" | "detail"> &
  Partial<Pick<GoLiveCheck, "todo" | "link" | "keep">>;

export const ok = (detail: string): CheckResult => ({ state: "ok", detail });
const makeResult =
  (state: CheckState) =>
  (detail: string, todo: string, link?: GoLiveCheck["link"]): CheckResult => ({
    state,
    detail,
    todo,
    link: link ?? null,
  });
export const warning = makeResult("warning");
export const problem = makeResult("problem");

/** A time in the shop's time zone, such as "Nov 21, 2026, 10:23 PM UTC". */
export async function timeText({ db }: Pick<CheckContext, "db">, at: Date): Promise<string> {
  return new Intl.DateTimeFormat("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: (await readSettings(db)).owner.timeZone,
  }).format(at);
}

export type Check = {
  id: string;
  group: CheckGroup;
  title: string;
  run(context: CheckContext): Promise<CheckResult> | CheckResult;
};

export const keysLink = { to: "/admin/settings/keys", label: "Keys and connections" };

/** `section`: the anchor on the page. */
export const settingsLink = (page: string, section: string, label: string) => ({
  to: `/admin/settings/${page}#${section}`,
  label,
});

/** Advice that only repeats the label of its link: the panel then shows just the link. */
export const linkAlone = (label: string, { to }: { to: string }) => [`${label}.`, { to, label }] as const;

/** A warning with a button to confirm that the present state is intended; `keep` is the button's label. */
export const warningToConfirm = (keep: string, ...texts: Parameters<typeof warning>): CheckResult => ({
  ...warning(...texts),
  keep,
});
