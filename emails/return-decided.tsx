import type { Email, Sender } from "../domain/outbox/email.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "return_decided" }>;

export function subject(email: Props): string {
  return `Your return of order #${email.order.number} is ${email.isApproved ? "approved" : "declined"}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order, orderUrl, isApproved, answer }: Props): Letter {
  return {
    title: isApproved ? "Your return is approved" : "Your return is declined",
    paragraphs: [
      isApproved
        ? `You can send order #${order.number} back. Once it has arrived we refund it.`
        : `We can’t take order #${order.number} back.`,
    ],
    quote: answer,
    action: { label: "View your order", href: orderUrl },
  };
}
