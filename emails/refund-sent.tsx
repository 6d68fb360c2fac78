import type { Email, Sender } from "../domain/outbox/email.ts";
import { refundDays } from "../domain/settings/facts.ts";
import { businessDays } from "../domain/shared/business-days.ts";
import { formatCents } from "../domain/shared/money.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "refund_sent" }>;

export function subject({ order, refundCents }: Props): string {
  return `Your refund of ${formatCents(refundCents)} for order #${order.number}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order: { number, totals }, orderUrl, refundCents }: Props): Letter {
  const inAll =
    totals.refunded > refundCents
      ? ` That makes ${formatCents(totals.refunded)} of ${formatCents(totals.total)} in all.`
      : "";
  return {
    title: "Your refund is on its way",
    paragraphs: [
      `We have sent ${formatCents(refundCents)} of order #${number} back to the card or account you paid with.${inAll}`,
      `Your bank may take ${businessDays(refundDays)} to show it.`,
    ],
    action: { label: "View your order", href: orderUrl },
  };
}
