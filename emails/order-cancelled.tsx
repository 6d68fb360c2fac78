import type { Email, Sender } from "../domain/outbox/email.ts";
import { formatCents } from "../domain/shared/money.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "order_called_off" }>;

export function subject({ order }: Props, sender: Sender): string {
  return `Your ${sender.brandName} order #${order.number} is cancelled`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order, orderUrl, refundCents, by, reason }: Props): Letter {
  return {
    title: "Your order is cancelled",
    paragraphs: [
      by === "buyer"
        ? `You cancelled order #${order.number} before it was shipped: it will not be sent.`
        : `We are sorry: we had to cancel order #${order.number}. It will not be sent.`,
      refundCents > 0
        ? `${formatCents(refundCents)} goes back the way you paid. How soon you see it depends on your bank.`
        : "All that you paid is on its way back to you already.",
    ],
    quote: reason,
    action: { label: "View your order", href: orderUrl },
    order,
  };
}
