import { isPaidOutside } from "../domain/drafts/draft.ts";
import { type Order, type OrderShipment, paidBackCents, payableCents } from "../domain/orders/order.ts";
import { refundDays, returnsSentence } from "../domain/settings/facts.ts";
import { businessDays } from "../domain/shared/business-days.ts";
import { formatCents } from "../domain/shared/money.ts";
import { promisedArrival } from "../domain/shipping/arrival.ts";
import { orderFacts } from "./layout/hello.ts";
import { wordedLetter } from "./layout/letter.tsx";

export const orderShipped = wordedLetter<"order_shipped">({
  facts({ order, shipment, deliveryDays }) {
    const promised = promisedArrival(order.arrival, shipment.shippedAt.slice(0, 10));
    const left = order.shipments.at(-1)?.id === shipment.id && order.fulfilment !== null;
    return {
      ...orderFacts(order),
      goods: goods(order),
      goodsInside: withoutCapital(goods(order)),
      carrier: shipment.carrier,
      trackingNumber: shipment.trackingNumber,
      deliverySentence:
        [
          deliveryDays && `${order.shippingOption.name} delivery takes ${deliveryDays}.`,
          promised && `${promised}.`,
        ]
          .filter(Boolean)
          .join(" ") || null,
      parcelLines: shipment.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", "),
      restSentence: left ? "Nothing else is to follow." : "The rest follows in another parcel.",
    };
  },
  subject: ({ order, shipment }, said) => said.line(isPart(order, shipment) ? "subjectPart" : "subject"),
  letter({ order, orderUrl, shipment }, said) {
    const part = isPart(order, shipment);
    return {
      title: said.line(part ? "headingPart" : "heading"),
      preheader: said.line("preheader"),
      greeting: said.line("greeting"),
      words: [
        ...said.words(part ? "openingPart" : "opening"),
        ...(shipment.trackingNumber === null ? [] : said.words("tracking")),
      ],
      ...trackingLinks(shipment, orderUrl, said),
      order,
    };
  },
});

export const orderDelivered = wordedLetter<"order_delivered">({
  facts: ({ order, returns }) => ({
    ...orderFacts(order),
    goods: goods(order),
    returnsSentence: returnsSentence(returns),
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ order, orderUrl, againUrl }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    words: [...said.words(order.gift ? "openingGift" : "opening"), ...said.words("help")],
    action: { label: said.line("button"), href: orderUrl },
    link: { label: said.line("again"), href: againUrl },
  }),
});

export const parcelCorrected = wordedLetter<"parcel_corrected">({
  facts: ({ order, shipment: { carrier, trackingNumber } }) => ({
    ...orderFacts(order),
    carrier,
    trackingNumber,
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ orderUrl, shipment }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: [
      ...said.words("opening"),
      ...said.words(shipment.trackingNumber === null ? "noTracking" : "tracking"),
    ],
    ...trackingLinks(shipment, orderUrl, said),
  }),
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

/** To the parcel where the carrier's page is known, with the order below; otherwise to the order. */
function trackingLinks(
  { trackingUrl }: Pick<OrderShipment, "trackingUrl">,
  orderUrl: string,
  said: { line(field: "button" | "buttonOrder"): string },
) {
  const toOrder = { label: said.line("buttonOrder"), href: orderUrl };
  return trackingUrl
    ? { action: { label: said.line("button"), href: trackingUrl }, link: toOrder }
    : { action: toOrder };
}

/** "email, phone and address" */
function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export const addressChanged = wordedLetter<"address_changed">({
  facts: ({ order, changed, isFormer }) => ({
    ...orderFacts(order),
    recipient: order.customerName,
    address: order.shippingAddress,
    changed: joinWords(changed),
    newAddressSentence:
      changed.includes("address") || changed.includes("name")
        ? `It goes to ${order.customerName}, ${order.shippingAddress}.`
        : null,
    newsSentence: changed.includes("email") ? newsGo(isFormer) : null,
  }),
  subject: ({ by, changed }, said) =>
    said.line(by === "shop" && !changed.includes("address") ? "subjectDetails" : "subject"),
  letter: ({ orderUrl, by, isFormer }, said) => ({
    title: said.line(by === "shop" ? "headingShop" : "heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: said.words(by === "shop" ? "byShop" : "byBuyer"),
    action:
      by === "shop" && isFormer
        ? { label: said.line("buttonContact"), href: new URL("/contact", orderUrl).href }
        : { label: said.line("button"), href: orderUrl },
  }),
});

const newsGo = (isFormer: boolean) =>
  isFormer ? "News of it goes to another email address from now on." : "News of it comes here from now on.";

function whereBack({ paidWith }: Order): string {
  return isPaidOutside(paidWith) ? "to you the way you paid" : "to the card or account you paid with";
}

export const orderCancelled = wordedLetter<"order_called_off">({
  facts: ({ order, refundCents }) => ({
    ...orderFacts(order),
    refund: formatCents(refundCents),
    whereBack: whereBack(order),
    bankSentence: isPaidOutside(order.paidWith) ? null : "How soon you see it depends on your bank.",
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ order, orderUrl, refundCents, by, reason }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: [
      ...said.words(by === "buyer" ? "byBuyer" : "byShop"),
      ...said.words(refundCents > 0 ? "refund" : "noRefund"),
    ],
    quote: reason,
    action: { label: said.line("button"), href: orderUrl },
    order,
  }),
});

export const refundSent = wordedLetter<"refund_sent">({
  facts({ order, refundCents }) {
    const refunded = paidBackCents(order.totals);
    return {
      ...orderFacts(order),
      refund: formatCents(refundCents),
      whereBack: whereBack(order),
      inAllSentence:
        refunded > refundCents
          ? `That makes ${formatCents(refunded)} of ${formatCents(payableCents(order.totals))} in all.`
          : null,
      bankSentence: isPaidOutside(order.paidWith)
        ? null
        : `Your bank may take ${businessDays(refundDays)} to show it.`,
    };
  },
  subject: (_, said) => said.line("subject"),
  letter: ({ orderUrl }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: said.words("opening"),
    action: { label: said.line("button"), href: orderUrl },
  }),
});
