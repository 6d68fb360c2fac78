import type { DraftStatus } from "../../../../domain/drafts/draft.ts";

export const draftLabels: Record<
  DraftStatus,
  { label: string; tone: "cream" | "blue" | "yellow" | "green" | "red" }
> = {
  open: { label: "Draft", tone: "cream" },
  sent: { label: "Link sent", tone: "blue" },
  opened: { label: "Being paid", tone: "yellow" },
  processing: { label: "Payment processing", tone: "blue" },
  paid: { label: "Paid", tone: "green" },
  expired: { label: "Link expired", tone: "red" },
};
