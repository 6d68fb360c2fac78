import type { Email, Sender } from "../domain/outbox/email.ts";
import { type Letter, letterHtml, letterText } from "./layout/letter.tsx";

type Props = Extract<Email, { kind: "order_shipped" }>;

export function subject({ order }: Props, sender: Sender): string {
  return `Your ${sender.brandName} order #${order.number} is on its way`;
}

export function Html({ sender, email }: { sender: Sender; email: Props }) {
  return letterHtml(sender, letter(email));
}

export function text(email: Props, sender: Sender): string {
  return letterText(sender, letter(email));
}

function letter({ order, orderUrl, deliveryDays }: Props): Letter {
  const { carrier, trackingNumber, trackingUrl } = order.fulfilment ?? {};
  const toOrder = { label: "View your order", href: orderUrl };
  const takes = deliveryDays === null ? "" : ` ${order.shippingOption.name} delivery takes ${deliveryDays}.`;
  return {
    title: "Your order is on its way",
    paragraphs: [
      `Order #${order.number} has been handed to ${carrier}.${takes}`,
      `Tracking number: ${trackingNumber}`,
    ],
    action: trackingUrl ? { label: "Track package", href: trackingUrl } : toOrder,
    link: trackingUrl ? toOrder : null,
    order,
  };
}
