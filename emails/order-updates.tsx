import { addressLines } from "../domain/address/address-format.ts";
import { isPaidOutside } from "../domain/drafts/draft.ts";
import { type Order, type OrderShipment, paidBackCents, payableCents } from "../domain/orders/order.ts";
import { formatShort } from "../domain/orders/order-text.ts";
import { bankSentence } from "../domain/orders/refund.ts";
import type { ReplacementReason } from "../domain/orders/replacement.ts";
import type { ChangedItems } from "../domain/outbox/email.ts";
import { returnsSentence } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { dateIn } from "../domain/shared/zoned-days.ts";
import { promisedArrival } from "../domain/shipping/arrival.ts";
import { orderFacts, payBy } from "./layout/greeting.ts";
import type { LabeledItems } from "./layout/order-facts.tsx";
import { editableTemplate } from "./layout/simple-template.tsx";

export const orderShipped = editableTemplate<"order_shipped">({
  facts({ order, shipment, deliveryDays }) {
    const isLast = order.shipments.at(-1)?.id === shipment.id && order.fulfilment !== null;
    return {
      ...parcelFacts(order, shipment),
      deliverySentence: deliveryDays && `${order.shippingOption.name} delivery takes ${deliveryDays}.`,
      restSentence: isLast ? "Nothing else is to follow." : "The rest follows in another package.",
    };
  },
  subject: ({ order, shipment }, texts) =>
    texts.line(isPartialShipment(order, shipment) ? "subjectPart" : "subject"),
  content({ order, orderUrl, shipment }, texts, { timeZone }) {
    const isPartial = isPartialShipment(order, shipment);
    return {
      title: texts.line(isPartial ? "headingPart" : "heading"),
      highlight: promisedArrival(order.arrival, dateIn(timeZone, new Date(shipment.shippedAt))),
      blocks: [
        ...texts.blocks(isPartial ? "openingPart" : "opening"),
        ...(shipment.trackingNumber === null ? [] : texts.blocks("tracking")),
      ],
      ...trackingLinks(shipment, orderUrl, texts),
      order,
    };
  },
});

export const parcelDelayed = editableTemplate<"parcel_delayed">({
  facts: ({ order, shipment }) => parcelFacts(order, shipment),
  content: ({ order, orderUrl, shipment }, texts) => ({
    blocks: [
      ...texts.blocks(isPartialShipment(order, shipment) ? "openingPart" : "opening"),
      ...texts.blocks("next"),
    ],
    ...trackingLinks(shipment, orderUrl, texts),
  }),
});

export const orderDelivered = editableTemplate<"order_delivered">({
  facts: ({ order, returns }) => ({
    ...orderFacts(order),
    goods: orderAsSubject(order),
    returnsSentence: returnsSentence(returns),
  }),
  content: ({ order, orderUrl, buyAgainUrl }, texts) => ({
    blocks: [...texts.blocks(order.gift ? "openingGift" : "opening"), ...texts.blocks("help")],
    action: { label: texts.line("button"), href: orderUrl },
    link: { label: texts.line("again"), href: buyAgainUrl },
  }),
});

export const parcelCorrected = editableTemplate<"parcel_corrected">({
  facts: ({ order, shipment }) => parcelFacts(order, shipment),
  content: ({ orderUrl, shipment }, texts) => ({
    blocks: [
      ...texts.blocks("opening"),
      ...texts.blocks(shipment.trackingNumber === null ? "noTracking" : "tracking"),
    ],
    ...trackingLinks(shipment, orderUrl, texts),
  }),
});

function parcelFacts(order: Order, { carrier, trackingNumber, items }: OrderShipment) {
  const goods = orderAsSubject(order);
  return {
    ...orderFacts(order),
    goods,
    goodsInside: goods.charAt(0).toLowerCase() + goods.slice(1),
    carrier,
    trackingNumber,
    parcelLines: items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", "),
  };
}

/** The order as the subject of a sentence. */
function orderAsSubject({ number, gift, customerName }: Order): string {
  return gift ? `Your gift to ${customerName} (order #${number})` : `Order #${number}`;
}

/** Whether the order has other parcels or units still to ship. */
function isPartialShipment({ shipments, fulfilment }: Order, { id }: OrderShipment): boolean {
  return fulfilment === null || shipments.some((shipment) => shipment.id !== id);
}

/** Links to the carrier's page, if known, and below it to the order; otherwise only to the order. */
function trackingLinks(
  { trackingUrl }: Pick<OrderShipment, "trackingUrl">,
  orderUrl: string,
  texts: { line(field: "button" | "buttonOrder"): string },
) {
  const orderLink = { label: texts.line("buttonOrder"), href: orderUrl };
  return trackingUrl
    ? { action: { label: texts.line("button"), href: trackingUrl }, link: orderLink }
    : { action: orderLink };
}

export const addressChanged = editableTemplate<"address_changed">({
  facts: ({ order, changed, isFormer }) => ({
    ...orderFacts(order),
    recipient: order.customerName,
    address: addressLines({ ...order, customerName: "" }).filter(Boolean),
    // "email, phone and address"
    changed: new Intl.ListFormat("en-GB").format(changed),
    newAddressSentence:
      changed.includes("address") || changed.includes("name")
        ? ["It goes to:", ...addressLines(order)]
        : null,
    newsSentence: changed.includes("email") ? newEmailSentence(isFormer) : null,
  }),
  subject: ({ by, changed }, texts) =>
    texts.line(by === "shop" && !changed.includes("address") ? "subjectDetails" : "subject"),
  content: ({ orderUrl, by, isFormer }, texts) => ({
    title: texts.line(by === "shop" ? "headingShop" : "heading"),
    blocks: texts.blocks(by === "shop" ? "byShop" : "byBuyer"),
    action:
      by === "shop" && isFormer
        ? { label: texts.line("buttonContact"), href: new URL("/contact", orderUrl).href }
        : { label: texts.line("button"), href: orderUrl },
  }),
});

const newEmailSentence = (isFormer: boolean) =>
  isFormer ? "From now on we’ll use a different email address." : "From now on we’ll use this email address.";

function refundTarget(isOutside: boolean): string {
  return isOutside ? "to you the way you paid" : "to the card or account you paid with";
}

export const refundBankSentence = ({ paidWith }: Order) => (isPaidOutside(paidWith) ? null : bankSentence);

export const orderCancelled = editableTemplate<"order_called_off">({
  facts: ({ order, refundCents }) => ({
    ...orderFacts(order),
    refund: formatCents(refundCents),
    whereBack: refundTarget(isPaidOutside(order.paidWith)),
    bankSentence: refundBankSentence(order),
  }),
  content: ({ order, orderUrl, refundCents, by, reason }, texts) => ({
    highlight: refundCents > 0 ? `${formatCents(refundCents)} goes back to you` : null,
    blocks: [
      ...texts.blocks(by === "buyer" ? "byBuyer" : "byShop"),
      ...(order.replaces ? [] : texts.blocks(refundCents > 0 ? "refund" : "noRefund")),
    ],
    quote: reason,
    action: { label: texts.line("button"), href: orderUrl },
    order,
  }),
});

export const refundSent = editableTemplate<"refund_sent">({
  facts({ order, refundCents }) {
    const totalRefunded = paidBackCents(order);
    return {
      ...orderFacts(order),
      refund: formatCents(refundCents),
      whereBack: refundTarget(isPaidOutside(order.paidWith)),
      inAllSentence:
        totalRefunded > refundCents
          ? `That’s ${formatCents(totalRefunded)} of ${formatCents(payableCents(order.totals))} so far.`
          : null,
      bankSentence: refundBankSentence(order),
    };
  },
  content: ({ orderUrl }, texts) => ({
    blocks: texts.blocks("opening"),
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

export const itemsToPay = editableTemplate<"items_to_pay">({
  facts: ({ order, differenceCents, expiresAt }, { timeZone }) => ({
    ...orderFacts(order),
    toPay: formatCents(differenceCents),
    payUntil: formatShort(expiresAt, timeZone, "day"),
  }),
  content: ({ payUrl, orderUrl, note, expiresAt, ...items }, texts, { timeZone }) => ({
    highlight: payBy(expiresAt, timeZone),
    blocks: texts.blocks("opening"),
    items: labeledChanges(items),
    closing: texts.blocks("closing"),
    quote: note,
    action: { label: texts.line("button"), href: payUrl },
    link: { label: texts.line("buttonOrder"), href: orderUrl },
  }),
});

export const itemsChanged = editableTemplate<"items_changed">({
  facts: ({ order, differenceCents, isOutside }) => ({
    ...orderFacts(order),
    moneySentence: moneySentence(differenceCents, isOutside),
  }),
  content: ({ orderUrl, note, ...items }, texts) => ({
    blocks: texts.blocks("opening"),
    items: labeledChanges(items),
    closing: texts.blocks("closing"),
    quote: note,
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

export const replacementSent = editableTemplate<"replacement_sent">({
  facts: ({ order, of, reason }) => ({
    ...orderFacts(order),
    firstNumber: String(of),
    reasonSentence: reasonSentences[reason],
  }),
  content: ({ order, orderUrl, note }, texts) => ({
    blocks: texts.blocks("opening"),
    items: [["In the package", order.items]],
    closing: texts.blocks("closing"),
    quote: note,
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

const reasonSentences: Record<ReplacementReason, string> = {
  lost: "We’re sorry your package was lost.",
  damaged: "We’re sorry it reached you damaged.",
  wrong: "We’re sorry we sent you the wrong item.",
};

export const exchangeStarted = editableTemplate<"exchange_begun">({
  facts: ({ order, of, differenceCents, expiresAt }, { timeZone }) => ({
    ...orderFacts(order),
    firstNumber: String(of),
    toPay: formatCents(Math.max(0, differenceCents)),
    payUntil: formatShort(expiresAt, timeZone, "day"),
    refundSentence:
      differenceCents < 0
        ? `${formatCents(-differenceCents)} goes back to you once your return is here.`
        : null,
  }),
  content: ({ orderUrl, payUrl, note, returned, added, expiresAt }, texts, { timeZone }) => ({
    highlight: payUrl === null ? null : payBy(expiresAt, timeZone),
    blocks: texts.blocks("opening"),
    items: [
      ["You’re returning", returned],
      ["You’re getting", added],
    ],
    closing: texts.blocks(payUrl === null ? "closing" : "closingToPay"),
    quote: note,
    ...(payUrl === null
      ? { action: { label: texts.line("buttonOrder"), href: orderUrl } }
      : {
          action: { label: texts.line("button"), href: payUrl },
          link: { label: texts.line("buttonOrder"), href: orderUrl },
        }),
  }),
});

function moneySentence(differenceCents: number, isOutside: boolean): string {
  if (differenceCents === 0) return "There is nothing more to pay.";
  if (differenceCents > 0) return `You paid the difference of ${formatCents(differenceCents)}.`;
  return `${formatCents(-differenceCents)} goes back ${refundTarget(isOutside)}.`;
}

function labeledChanges({ added, removed }: Pick<ChangedItems, "added" | "removed">): LabeledItems {
  return [
    ["Added", added],
    ["Removed", removed],
  ];
}
