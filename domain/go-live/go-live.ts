import * as v from "valibot";
import type { SettingsGroup } from "../settings/settings.ts";

export const checkGroups = ["payments", "messages", "shop", "machine"] as const;
export type CheckGroup = (typeof checkGroups)[number];
export const checkGroupTitles: Record<CheckGroup, string> = {
  payments: "Payments",
  messages: "Email and texts",
  shop: "What shoppers read and buy",
  machine: "The machine and its safety",
};

const checkStateSchema = v.picklist(["ok", "warning", "problem"]);
export type CheckState = v.InferOutput<typeof checkStateSchema>;

/** Checks of settings whose defaults the owner may confirm -> the group of settings. */
export const keptGroups = {
  time_zone: "timeZone",
  shipping: "shipping",
  tax: "tax",
  policies: "returns",
} as const satisfies Record<string, SettingsGroup>;

/** Checks that only the owner can confirm. */
export const statementNames = ["policies_read", "offsite_backup"] as const;
export type Statement = (typeof statementNames)[number];

export const confirmableChecks = [
  ...(Object.keys(keptGroups) as (keyof typeof keptGroups)[]),
  ...statementNames,
];

/** Days after which the owner has to confirm again that backups are stored elsewhere. */
export const offsiteStatementDays = 30;

/** One line of the go-live check. It never contains a secret. */
const goLiveCheckSchema = v.object({
  id: v.string(),
  group: v.picklist(checkGroups),
  title: v.string(),
  state: checkStateSchema,
  /** The current state in a sentence. */
  detail: v.string(),
  /** Advice to the owner; null if there is none. */
  todo: v.nullable(v.string()),
  /** The panel's page on which to settle it. */
  link: v.nullable(v.object({ to: v.string(), label: v.string() })),
  /** Label of the button that confirms it, such as "Keep as is"; null if it cannot be confirmed. */
  keep: v.nullable(v.string()),
});
export type GoLiveCheck = v.InferOutput<typeof goLiveCheckSchema>;

/** Whether the shop cannot sell until the check passes. A warning about payments means that they are only simulated. */
export function blocksSales({ id, state }: Pick<GoLiveCheck, "id" | "state">): boolean {
  return state === "problem" || (state === "warning" && id === "payments");
}

/** A check's page, which with this query shows a button to the next check: "/admin/settings/shop?go-live#seller". */
export function goLiveStepPath({ to }: { to: string }): string {
  const { pathname, search, hash } = new URL(to, "https://shop.invalid");
  return `${pathname}${search ? `${search}&` : "?"}go-live${hash}`;
}

export const goLiveReportSchema = v.object({
  at: v.string(),
  checks: v.array(goLiveCheckSchema),
  counts: v.object({ ok: v.number(), warning: v.number(), problem: v.number() }),
});
export type GoLiveReport = v.InferOutput<typeof goLiveReportSchema>;

export const webhookTestSchema = v.object({ arrived: v.boolean(), detail: v.string() });
export type WebhookTest = v.InferOutput<typeof webhookTestSchema>;

/** Response of the call that registers the shop's domain for wallets. */
export const domainRegistrationSchema = v.object({ isRegistered: v.boolean(), detail: v.string() });
export type DomainRegistration = v.InferOutput<typeof domainRegistrationSchema>;

/** "2 problems and 1 warning." */
export function countsSentence({ problem, warning }: Record<CheckState, number>): string {
  if (problem + warning === 0) return "Everything is in order.";
  const parts = [
    ...(problem > 0 ? [`${problem} ${problem === 1 ? "problem" : "problems"}`] : []),
    ...(warning > 0 ? [`${warning} ${warning === 1 ? "warning" : "warnings"}`] : []),
  ];
  return `${parts.join(" and ")}.`;
}
