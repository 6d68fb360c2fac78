import { type DisputePage, type Evidence, evidenceTextNames } from "../../../../domain/disputes/evidence.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { AskFirst, ConfirmCall } from "../kit/confirm-dialog.tsx";

/** The question before the evidence leaves. */
export function SendEvidence({
  page,
  evidence,
  onClose,
}: {
  page: DisputePage;
  evidence: Evidence;
  onClose: () => void;
}) {
  const { dispute, order, customerName } = page;
  const texts = evidenceTextNames.filter((name) => evidence.texts[name] !== "").length;
  const files = evidence.files.length;
  return (
    <ConfirmCall
      onClose={onClose}
      danger={false}
      title="Send this to the bank?"
      description={`It can be sent only once, and not changed afterwards. Order #${order.number}${customerName && `, ${customerName}`}: ${formatCents(dispute.amount)}.`}
      confirmLabel="Send it"
      keepLabel="Not yet"
      busyText="Sending..."
      call="POST /api/admin/disputes/:id/send"
      success={({ data }) =>
        data.evidence?.status === "sent"
          ? {
              title: "Sent to the bank",
              description: "It decides within some weeks. You are told how it ends.",
            }
          : {
              title: "On its way to the bank",
              description: "Stripe has not confirmed it yet; it is tried again.",
            }
      }
      send={(run) =>
        run({ params: { id: dispute.id }, body: { revision: evidence.revision }, timeoutMs: 60_000 })
      }
    >
      <p className="mt-3 text-ui">
        {texts} {texts === 1 ? "text" : "texts"} and {files} {files === 1 ? "file" : "files"} go to{" "}
        {dispute.isInquiry ? "the bank, which only asks so far" : "the bank"}. Read them once more before you
        send them.
      </p>
    </ConfirmCall>
  );
}

/** Giving in: the button, and the question before it. */
export function AcceptDispute({ page: { dispute, order, customerName } }: { page: DisputePage }) {
  const sum = formatCents(dispute.amount);
  const who = customerName || "the customer";
  return (
    <AskFirst
      label="Accept the dispute"
      size="normal"
      title={`Give up ${sum}?`}
      description={`You lose the dispute of order #${order.number}: ${who} keeps ${sum}${dispute.fee > 0 ? `, and the fee of ${formatCents(dispute.fee)} stays with Stripe` : ""}. Nothing can be sent to the bank any more. This cannot be undone.`}
      confirmLabel={`Give up ${sum}`}
      keepLabel="Keep it open"
      busyText="Accepting..."
      call="POST /api/admin/disputes/:id/accept"
      success={{ title: `Dispute of order #${order.number} accepted` }}
      send={(run) => run({ params: { id: dispute.id }, body: { amount: dispute.amount }, timeoutMs: 60_000 })}
    />
  );
}
