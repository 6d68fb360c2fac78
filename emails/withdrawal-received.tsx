import { formatMinute } from "../domain/orders/order-text.ts";
import type { Email, Sender } from "../domain/outbox/email.ts";
import { withdrawalDays } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "withdrawal_received" }>;

/** The acknowledgement that the law asks for: what was declared, by whom, on which day and at what time. */
export function subject({ order }: Props): string {
  return `Your withdrawal from order #${order.number}: acknowledgement of receipt`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter(email: Props): Letter {
  const { order, orderUrl, name, declaredAt } = email;
  const goods = order.items.map((item) => `${item.quantity} × ${item.name}`).join(", ");
  return {
    title: "We have received your withdrawal",
    paragraphs: [
      `Received on ${formatMinute(declaredAt, "UTC")}:`,
      `“I, ${name}, withdraw from the contract for order #${order.number} (${goods}).”`,
      ...whatFollows(email),
    ],
    action: { label: "View your order", href: orderUrl },
    order,
  };
}

function whatFollows({ refundCents }: Props): string[] {
  if (refundCents === 0)
    return ["The order is cancelled. Nothing more is charged, and nothing has to be sent back."];
  if (refundCents !== null) {
    return [
      `The order had not been shipped: it will not be sent. ${formatCents(refundCents)} goes back the way you paid. How soon you see it depends on your bank.`,
    ];
  }
  return [
    `Please send the goods back within ${withdrawalDays} days of this statement. We write to you with the address.`,
    `We pay back what you paid, the cheapest delivery we offer included, within ${withdrawalDays} days, and may wait until the goods, or proof that they were sent, have reached us.`,
  ];
}
