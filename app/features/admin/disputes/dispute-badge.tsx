import { type Dispute, disputeLabel } from "../../../../domain/payments/dispute.ts";
import type { Evidence } from "../../../../domain/payments/evidence.ts";
import { Badge } from "../../../ui/badge.tsx";

/** How a dispute stands, with the shop's own part as far as it is known. `now`: ISO 8601. */
export function DisputeBadge({
  dispute,
  evidence,
  now,
}: {
  dispute: Pick<Dispute, "status" | "evidenceDueAt">;
  evidence: Pick<Evidence, "status"> | null;
  now: string;
}) {
  const { status, evidenceDueAt } = dispute;
  if (status === "needs_response") {
    if (evidence?.status === "sending") return <Badge tone="blue">Being sent</Badge>;
    if (evidence?.status === "sent") return <Badge tone="blue">Sent</Badge>;
    if (evidenceDueAt && evidenceDueAt <= now) return <Badge tone="red">Deadline passed</Badge>;
    if (evidence) return <Badge tone="yellow">Draft, not sent</Badge>;
  }
  const tones = {
    needs_response: "yellow",
    under_review: "blue",
    won: "green",
    lost: "red",
    closed: "cream",
  } as const;
  return <Badge tone={tones[status]}>{disputeLabel(dispute)}</Badge>;
}
