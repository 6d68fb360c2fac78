export const checkGroups = ["payments", "messages", "shop", "machine"] as const;
export type CheckGroup = (typeof checkGroups)[number];
export const checkGroupTitles: Record<CheckGroup, string> = {
  payments: "Payments",
  messages: "Email and texts",
  shop: "What shoppers read and buy",
  machine: "The machine and its safety",
};

export type CheckState = "ok" | "warning" | "problem";

/** One line of the go-live check. It never holds a secret. */
export type GoLiveCheck = {
  id: string;
  group: CheckGroup;
  title: string;
  state: CheckState;
  /** How it is, in a sentence. */
  detail: string;
  /** What to do about it; null where there is nothing to do. */
  todo: string | null;
  /** Where in the panel that is done. */
  link: { to: string; label: string } | null;
};

export type GoLiveReport = {
  at: string;
  checks: GoLiveCheck[];
  counts: Record<CheckState, number>;
};

/** Answer of the webhook's test. */
export type WebhookTest = { arrived: boolean; detail: string };

/** "2 problems, 1 warning" */
export function countsSentence({ problem, warning }: Record<CheckState, number>): string {
  if (problem + warning === 0) return "Everything is in order.";
  const parts = [
    ...(problem > 0 ? [`${problem} ${problem === 1 ? "problem" : "problems"}`] : []),
    ...(warning > 0 ? [`${warning} ${warning === 1 ? "warning" : "warnings"}`] : []),
  ];
  return `${parts.join(" and ")}.`;
}
