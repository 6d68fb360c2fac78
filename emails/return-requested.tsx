import type { Email, Sender } from "../domain/outbox/email.ts";
import { returnsSentence } from "../domain/settings/facts.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "return_requested" }>;

export function subject({ order }: Props): string {
  return `Your return of order #${order.number}: we have your request`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order, orderUrl, reason, returns }: Props): Letter {
  return {
    title: "We have your return request",
    paragraphs: [
      `You asked to return order #${order.number}.`,
      `Your reason: ${reason}`,
      "Please wait for our answer before you send anything: it names the address that the parcel goes to.",
      returnsSentence(returns),
    ],
    action: { label: "View your order", href: orderUrl },
  };
}
