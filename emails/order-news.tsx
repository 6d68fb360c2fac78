import { isPaidOutside } from "../domain/drafts/draft.ts";
import { buyerName } from "../domain/orders/first-name.ts";
import type { Order, OrderShipment } from "../domain/orders/order.ts";
import { refundDays, returnsSentence } from "../domain/settings/facts.ts";
import { businessDays } from "../domain/shared/business-days.ts";
import { formatCents } from "../domain/shared/money.ts";
import { letterTemplate } from "./layout/letter.tsx";

export const orderShipped = letterTemplate<"order_shipped">({
  subject: ({ order, shipment }, sender) =>
    `${isPart(order, shipment) ? "Part of your" : "Your"} ${sender.brandName} order #${order.number} is on its way`,
  letter({ order, orderUrl, shipment, deliveryDays }) {
    const { carrier, trackingNumber, items } = shipment;
    const takes =
      deliveryDays === null ? "" : ` ${order.shippingOption.name} delivery takes ${deliveryDays}.`;
    const inIt = items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ");
    const left = order.shipments.at(-1)?.id === shipment.id && order.fulfilment !== null;
    return {
      title: isPart(order, shipment) ? "Part of your order is on its way" : "Your order is on its way",
      to: buyerName(order),
      paragraphs: isPart(order, shipment)
        ? [
            `A parcel of ${withoutCapital(goods(order))} has been handed to ${carrier}.${takes}`,
            `In this parcel: ${inIt}. ${left ? "Nothing else is to follow." : "The rest follows in another parcel."}`,
            ...followed(trackingNumber),
          ]
        : [`${goods(order)} has been handed to ${carrier}.${takes}`, ...followed(trackingNumber)],
      ...trackingLinks(shipment, orderUrl),
      order,
    };
  },
});

export const orderDelivered = letterTemplate<"order_delivered">({
  subject: ({ order }, sender) => `Your ${sender.brandName} order #${order.number} has arrived`,
  letter({ order, orderUrl, againUrl, returns }) {
    return {
      title: "Your order has arrived",
      paragraphs: [
        order.gift
          ? `${goods(order)} was delivered. We hope they love it.`
          : `Order #${order.number} was delivered. We hope you enjoy it.`,
        `If it hasn’t reached you, or something isn’t right, tell us and we’ll make it right. ${returnsSentence(returns)}`,
      ],
      action: { label: "View your order", href: orderUrl },
      link: { label: "Buy it again", href: againUrl },
    };
  },
});

export const parcelCorrected = letterTemplate<"parcel_corrected">({
  subject: ({ order }) => `Corrected tracking for your order #${order.number}`,
  letter({ order, orderUrl, shipment: { carrier, trackingNumber, ...shipment } }) {
    return {
      title: "Your tracking number has changed",
      to: buyerName(order),
      paragraphs: [
        `The tracking we sent you for order #${order.number} was not right. Please use this one instead.`,
        trackingNumber === null
          ? `It was sent with ${carrier}, and can’t be followed.`
          : `${carrier}, tracking number: ${trackingNumber}`,
      ],
      ...trackingLinks(shipment, orderUrl),
    };
  },
});

/** What is on its way, as a sentence begins with it. */
function goods({ number, gift, customerName }: Order): string {
  return gift ? `Your gift to ${customerName} (order #${number})` : `Order #${number}`;
}

/** Whether more than this parcel belongs to the order. */
function isPart({ shipments, fulfilment }: Order, { id }: OrderShipment): boolean {
  return fulfilment === null || shipments.some((each) => each.id !== id);
}

/** "Your gift to ..." and "Order #1001" inside a sentence. */
function withoutCapital(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function followed(trackingNumber: string | null): string[] {
  return trackingNumber === null ? [] : [`Tracking number: ${trackingNumber}`];
}

/** To the parcel where the carrier's page is known, with the order below; otherwise to the order. */
function trackingLinks({ trackingUrl }: Pick<OrderShipment, "trackingUrl">, orderUrl: string) {
  const toOrder = { label: "View your order", href: orderUrl };
  return trackingUrl
    ? { action: { label: "Track package", href: trackingUrl }, link: toOrder }
    : { action: toOrder };
}

/** "email, phone and address" */
function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export const addressChanged = letterTemplate<"address_changed">({
  subject: ({ order, by, changed }) =>
    by === "shop" && !changed.includes("address")
      ? `We changed the details of order #${order.number}`
      : `Order #${order.number} goes to a new address`,
  letter({ order, orderUrl, by, changed, isFormer }) {
    if (by === "shop") {
      const isMoved = changed.includes("address") || changed.includes("name");
      return {
        title: "We changed the details of your order",
        to: buyerName(order),
        paragraphs: [
          `We corrected order #${order.number}: ${joinWords(changed)}.`,
          ...(isMoved ? [`It goes to ${order.customerName}, ${order.shippingAddress}.`] : []),
          ...(changed.includes("email")
            ? [
                isFormer
                  ? "News of it goes to another email address from now on."
                  : "News of it comes here from now on.",
              ]
            : []),
          "If you did not ask for this, please reply to this email before it ships.",
        ],
        action: isFormer
          ? { label: "Write to us", href: new URL("/contact", orderUrl).href }
          : { label: "View your order", href: orderUrl },
      };
    }
    return {
      title: "Your order has a new address",
      to: buyerName(order),
      paragraphs: [
        `You changed the address for order #${order.number}. It now goes to:`,
        `${order.customerName}, ${order.shippingAddress}`,
        "If this wasn’t you, open the order and correct it, or reply to this email, before it ships.",
      ],
      action: { label: "View your order", href: orderUrl },
    };
  },
});

function whereBack({ paidWith }: Order): string {
  return isPaidOutside(paidWith) ? "to you the way you paid" : "to the card or account you paid with";
}

export const orderCancelled = letterTemplate<"order_called_off">({
  subject: ({ order }, sender) => `Your ${sender.brandName} order #${order.number} is cancelled`,
  letter({ order, orderUrl, refundCents, by, reason }) {
    return {
      title: "Your order is cancelled",
      to: buyerName(order),
      paragraphs: [
        by === "buyer"
          ? `You cancelled order #${order.number} before it shipped, so it won’t be sent.`
          : `We’re sorry. We had to cancel order #${order.number}, so it won’t be sent.`,
        refundCents > 0
          ? `${formatCents(refundCents)} goes back ${whereBack(order)}.${isPaidOutside(order.paidWith) ? "" : " How soon you see it depends on your bank."}`
          : "Everything you paid is already on its way back to you.",
      ],
      quote: reason,
      action: { label: "View your order", href: orderUrl },
      order,
    };
  },
});

export const refundSent = letterTemplate<"refund_sent">({
  subject: ({ order, refundCents }) =>
    `Your refund of ${formatCents(refundCents)} for order #${order.number}`,
  letter({ order, orderUrl, refundCents }) {
    const { number, totals } = order;
    const inAll =
      totals.refunded > refundCents
        ? ` That makes ${formatCents(totals.refunded)} of ${formatCents(totals.total)} in all.`
        : "";
    return {
      title: "Your refund is on its way",
      to: buyerName(order),
      paragraphs: [
        `We have sent ${formatCents(refundCents)} of order #${number} back ${whereBack(order)}.${inAll}`,
        ...(isPaidOutside(order.paidWith)
          ? []
          : [`Your bank may take ${businessDays(refundDays)} to show it.`]),
      ],
      action: { label: "View your order", href: orderUrl },
    };
  },
});
