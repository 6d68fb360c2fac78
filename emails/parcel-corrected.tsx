import type { Email, Sender } from "../domain/outbox/email.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "parcel_corrected" }>;

export function subject({ order }: Props): string {
  return `Corrected tracking for your order #${order.number}`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order, orderUrl }: Props): Letter {
  const { carrier, trackingNumber, trackingUrl } = order.fulfilment ?? {};
  const toOrder = { label: "View your order", href: orderUrl };
  return {
    title: "Your tracking number has changed",
    paragraphs: [
      `The tracking we sent you for order #${order.number} was not right. Please use this one instead.`,
      `${carrier}, tracking number: ${trackingNumber}`,
    ],
    action: trackingUrl ? { label: "Track package", href: trackingUrl } : toOrder,
    link: trackingUrl ? toOrder : null,
  };
}
