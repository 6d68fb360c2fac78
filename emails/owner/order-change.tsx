import type { Email, Sender } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { type Letter, letterHtml, letterText } from "../layout/letter.tsx";

type Props = Extract<Email, { kind: "owner_order_change" }>;

export function subject({ order, change }: Props): string {
  return `Order #${order.number}: ${titles[change.kind].toLowerCase()}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

const titles = {
  called_off: "Cancelled by the buyer",
  return: "A return is asked for",
  withdrawal: "Withdrawal from the contract",
};

function letter({ order, change, adminUrl }: Props): Letter {
  return {
    title: titles[change.kind],
    paragraphs: words(order.number, change),
    action: { label: "Open the admin", href: adminUrl },
    order,
  };
}

function words(number: number, change: Props["change"]): string[] {
  if (change.kind === "return") {
    return [
      `The buyer of order #${number} asks to return it.`,
      `Reason: ${change.reason}`,
      "Please answer: an approval names the address that the parcel goes to.",
    ];
  }
  const declared =
    change.kind === "withdrawal"
      ? [
          `${change.name} has withdrawn from the contract for order #${number}. The buyer has been sent an acknowledgement.`,
        ]
      : [`The buyer of order #${number} has called it off.`];
  if (change.refundCents === null) {
    return [
      ...declared,
      "It has been shipped: the goods come back. Send the buyer the return address, and refund within 14 days.",
    ];
  }
  const refund =
    change.refundCents > 0
      ? `${formatCents(change.refundCents)} is being refunded by itself.`
      : "There is nothing left to refund.";
  return [...declared, `Do not ship it. ${refund} The units are back in stock.`];
}
