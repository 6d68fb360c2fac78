import type { Email, Sender } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { type Letter, letterHtml, letterText } from "../layout/letter.tsx";

type Props = Extract<Email, { kind: "owner_text_failed" }>;

export function subject({ order }: Props): string {
  return `Order #${order.number}: the text to your phone did not arrive`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letterOf(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letterOf(email));
}

function letterOf(email: Props): Letter {
  const { order, reason, adminUrl } = email;
  return {
    title: subject(email),
    paragraphs: [
      `Order #${order.number} over ${formatCents(order.totals.total)} is paid. Only the text about it failed, so you get this email instead.`,
      `${reason}.`,
      "The number that texts go to, and a button to try it, are in the admin under Notification Settings.",
    ],
    action: { label: "Open the order", href: adminUrl },
    order,
  };
}
