import type { Email, Sender } from "../domain/outbox/email.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "return_answered" }>;

export function subject({ order, about }: Props): string {
  return `About your ${about === "return" ? "return of" : "withdrawal from"} order #${order.number}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order, orderUrl, about, answer }: Props): Letter {
  return {
    title: about === "withdrawal" ? "About your withdrawal" : "About your return",
    paragraphs: [
      about === "withdrawal"
        ? `You have withdrawn from order #${order.number}. This is what we have to tell you about it:`
        : `You asked to return order #${order.number}. This is what we have to tell you about it:`,
    ],
    quote: answer,
    action: { label: "View your order", href: orderUrl },
  };
}
