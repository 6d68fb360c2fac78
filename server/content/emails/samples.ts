import type { EmailTextKind } from "../../../domain/content/emails/texts.ts";
import { noEntries, type Order, type OrderShipment } from "../../../domain/orders/order.ts";
import type { Email, MailProduct } from "../../../domain/outbox/email.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";

/** An e-mail with sample data, for previews in the panel. */
export type Sample = { name: string; email: Email };

type SampleFacts = {
  publicUrl: string;
  product: MailProduct;
  priceCents: number;
  returns: ShopSettings["returns"];
};

const sampleTime = "2026-11-20T15:04:00.000Z";

/** All variants of an e-mail, the usual one first. */
export function createSamples(kind: EmailTextKind, facts: SampleFacts): Sample[] {
  return sampleMakers[kind](facts).map(([name, email]) => ({ name, email: { kind, ...email } as Email }));
}

type WithoutKind<E> = E extends unknown ? Omit<E, "kind"> : never;
type SampleMaker<K> = (
  facts: SampleFacts,
) => [name: string, email: WithoutKind<Extract<Email, { kind: K }>>][];

const sampleItems = ({ product }: SampleFacts, differenceCents: number) => ({
  added: [{ name: product.name, quantity: 2 }],
  removed: [{ name: "Wooden comb", quantity: 1 }],
  differenceCents,
});

const sampleMakers: { [K in EmailTextKind]: SampleMaker<K> } = {
  order_confirmation: (facts) => [
    ["An order", { ...orderData(facts), deliveryDays: "3-5 business days", timeZone: "UTC" }],
    ["A gift", { ...orderData(facts, giftFields), deliveryDays: "3-5 business days", timeZone: "UTC" }],
    [
      "Paid by an exchange",
      {
        ...orderData(facts, { paidWith: "Exchange of order #1041", exchangeOf: exchangeLink(facts) }),
        deliveryDays: "3-5 business days",
        timeZone: "UTC",
      },
    ],
  ],
  order_shipped: (facts) => {
    const { order, ...rest } = orderData(facts);
    const shipment = sampleShipment(facts);
    const partlyShipped = { fulfilment: null, shipments: [shipment] };
    return [
      ["The whole order", { ...rest, order, shipment, deliveryDays: "3-5 business days" }],
      [
        "Part of the order",
        { ...rest, order: { ...order, ...partlyShipped }, shipment, deliveryDays: "3-5 business days" },
      ],
      [
        "Without a tracking number",
        {
          ...rest,
          order: { ...order, arrival: null },
          shipment: { ...shipment, trackingNumber: null, trackingUrl: null },
          deliveryDays: null,
        },
      ],
    ];
  },
  parcel_delayed: (facts) => {
    const { order, ...rest } = orderData(facts);
    const shipment = sampleShipment(facts);
    return [
      ["The whole order", { ...rest, order, shipment }],
      ["Part of the order", { ...rest, order: { ...order, fulfilment: null }, shipment }],
    ];
  },
  order_delivered: (facts) => [
    ["An order", { ...orderData(facts), buyAgainUrl: `${facts.publicUrl}/cart`, returns: facts.returns }],
    [
      "A gift",
      { ...orderData(facts, giftFields), buyAgainUrl: `${facts.publicUrl}/cart`, returns: facts.returns },
    ],
  ],
  parcel_corrected: (facts) => [
    ["With a tracking number", { ...orderData(facts), shipment: sampleShipment(facts) }],
    [
      "Without a tracking number",
      {
        ...orderData(facts),
        shipment: { ...sampleShipment(facts), trackingNumber: null, trackingUrl: null },
      },
    ],
  ],
  address_changed: (facts) => [
    ["By the buyer", { ...orderData(facts), by: "buyer", changed: ["address"], isFormer: false }],
    ["By you", { ...orderData(facts), by: "shop", changed: ["name", "address"], isFormer: false }],
    ["By you, to the former email", { ...orderData(facts), by: "shop", changed: ["email"], isFormer: true }],
  ],
  order_called_off: (facts) => [
    ["By the buyer", { ...orderData(facts), refundCents: 64_85, by: "buyer", reason: null }],
    [
      "By you",
      {
        ...orderData(facts),
        refundCents: 64_85,
        by: "shop",
        reason: "The batch turned out to be too small.",
      },
    ],
    ["Already refunded", { ...orderData(facts), refundCents: 0, by: "shop", reason: null }],
  ],
  refund_sent: (facts) => [
    ["A first refund", { ...orderData(facts), refundCents: 20_00 }],
    ["Another refund", { ...orderData(facts, {}, 50_00), refundCents: 20_00 }],
    ["Paid outside the shop", { ...orderData(facts, { paidWith: "Cash" }), refundCents: 20_00 }],
  ],
  items_to_pay: (facts) => [
    [
      "Items added",
      {
        ...orderData(facts),
        ...sampleItems(facts, 39_60),
        removed: [],
        payUrl: `${facts.publicUrl}/pay/sample`,
        note: "As you asked on the phone.",
        expiresAt: sampleTime,
      },
    ],
  ],
  items_changed: (facts) => [
    ["With a payment", { ...orderData(facts), ...sampleItems(facts, 39_60), note: null, isOutside: false }],
    ["With a refund", { ...orderData(facts), ...sampleItems(facts, -5_00), note: null, isOutside: false }],
    ["Same price", { ...orderData(facts), ...sampleItems(facts, 0), note: null, isOutside: false }],
  ],
  replacement_sent: (facts) => [
    ["Damaged", { ...orderData(facts), of: 1041, reason: "damaged", note: "This time with more padding." }],
    ["Lost", { ...orderData(facts), of: 1041, reason: "lost", note: null }],
    ["Wrong item", { ...orderData(facts), of: 1041, reason: "wrong", note: null }],
  ],
  exchange_begun: (facts) => [
    [
      "To be paid",
      { ...orderData(facts), ...sampleExchange(facts, 12_00), payUrl: `${facts.publicUrl}/pay/sample` },
    ],
    ["Nothing to pay", { ...orderData(facts), ...sampleExchange(facts, 0), payUrl: null }],
    ["With a refund", { ...orderData(facts), ...sampleExchange(facts, -5_00), payUrl: null }],
  ],
  return_requested: (facts) => [
    ["A request", { ...orderData(facts), reason: "It is not for me after all.", returns: facts.returns }],
  ],
  return_decided: (facts) => [
    [
      "Approved",
      { ...orderData(facts), isApproved: true, answer: "Please send it to\n1 Main St\nAustin, TX 78701" },
    ],
    ["Declined", { ...orderData(facts), isApproved: false, answer: "The bottle is nearly empty." }],
  ],
  return_answered: (facts) => [
    ["A return", { ...orderData(facts), about: "return", answer: "Which of the two bottles do you mean?" }],
    [
      "A withdrawal",
      { ...orderData(facts), about: "withdrawal", answer: "Please send it to\n1 Main St\nAustin, TX 78701" },
    ],
  ],
  return_label: (facts) => [["A label", { ...orderData(facts), carrier: "USPS" }]],
  withdrawal_received: (facts) => [
    ["Shipped", { ...orderData(facts), name: "Ada Obi", declaredAt: sampleTime, refundCents: null }],
    ["Not shipped", { ...orderData(facts), name: "Ada Obi", declaredAt: sampleTime, refundCents: 64_85 }],
    ["Nothing owed", { ...orderData(facts), name: "Ada Obi", declaredAt: sampleTime, refundCents: 0 }],
  ],
  payment_link: ({ publicUrl, product, priceCents }) => [
    [
      "An order",
      {
        name: "Ada Obi",
        items: [{ ...product, quantity: 2, totalCents: 2 * priceCents }],
        discount: null,
        totalCents: 2 * priceCents + 4_95,
        payUrl: `${publicUrl}/pay/sample`,
        expiresAt: sampleTime,
      },
    ],
  ],
  order_lookup: ({ publicUrl }) => [["A link", { lookupUrl: `${publicUrl}/orders/find?token=sample` }]],
  data_export: ({ publicUrl }) => [["A link", { dataUrl: `${publicUrl}/account/data?token=sample` }]],
  data_deletion: ({ publicUrl }) => [["A link", { dataUrl: `${publicUrl}/account/data?token=sample` }]],
  data_deleted: () => [
    ["Everything", { kept: [] }],
    ["Some orders stay", { kept: [{ number: 1065, because: "its return is not finished" }] }],
  ],
  contact_receipt: () => [["A message", { reference: "M-1042" }]],
  contact_reply: () => [
    [
      "An answer",
      {
        reference: "M-1042",
        text: "Hello Ada,\n\nyes, it does.\n\nBest wishes",
        message: "Does the oil keep in the fridge?",
        writtenAt: sampleTime,
      },
    ],
  ],
  question_answer: ({ publicUrl, product }) => [
    [
      "An answer",
      {
        productName: product.name,
        question: "Does it keep in the fridge?",
        answer: "Yes. It thickens, and melts in your hands again.",
        productUrl: `${publicUrl}/`,
      },
    ],
  ],
  cart_reminder: (facts) => [
    [
      "A cart",
      {
        items: [{ ...facts.product, quantity: 2, totalCents: 2 * facts.priceCents }],
        cartUrl: `${facts.publicUrl}/cart`,
        ...unsubscribe(facts),
      },
    ],
  ],
  review_request: (facts) => {
    const item = {
      ...facts.product,
      reviewUrl: `${facts.publicUrl}/reviews/new`,
      rateUrl: `${facts.publicUrl}/reviews/new?sample=1`,
    };
    const otherItem = { ...item, name: "Another product", reviewUrl: `${item.reviewUrl}?other` };
    const shared = { orderNumber: 1065, firstName: "Ada", buyAgainUrl: `${facts.publicUrl}/cart` };
    return [
      ["One product", { ...shared, items: [item], ...unsubscribe(facts) }],
      ["Several", { ...shared, items: [item, otherItem], ...unsubscribe(facts) }],
    ];
  },
  refill_reminder: (facts) => [
    [
      "An order",
      {
        firstName: "Ada",
        orderNumber: 1065,
        items: [facts.product],
        buyAgainUrl: `${facts.publicUrl}/cart`,
        ...unsubscribe(facts),
      },
    ],
  ],
  stock_alert_confirm: ({ publicUrl, product }) => [
    ["A product", { product, confirmUrl: `${publicUrl}/back-in-stock?token=sample` }],
  ],
  stock_alert: (facts) => [
    [
      "A product",
      {
        product: facts.product,
        priceCents: facts.priceCents,
        productUrl: `${facts.publicUrl}/`,
        ...unsubscribe(facts),
      },
    ],
  ],
  newsletter_confirm: ({ publicUrl }) => [
    ["Without a code", { confirmUrl: `${publicUrl}/newsletter?token=sample`, offer: null }],
    [
      "With a code",
      { confirmUrl: `${publicUrl}/newsletter?token=sample`, offer: "10% off your first order." },
    ],
  ],
  newsletter_welcome: (facts) => {
    const shop = { product: facts.product, shopUrl: facts.publicUrl, ...unsubscribe(facts) };
    return [
      ["Without a code", { offer: null, ...shop }],
      ["With a code", { offer: { code: "WELCOME10", sentence: "10% off your first order." }, ...shop }],
    ];
  },
};

const unsubscribe = ({ publicUrl }: SampleFacts) => ({
  unsubscribeUrl: `${publicUrl}/unsubscribe?token=sample`,
});

const giftFields: Partial<Order> = {
  gift: { from: "Ada Obi", note: "Happy birthday!" },
  customerName: "Ben Carter",
};

function orderData(facts: SampleFacts, changes: Partial<Order> = {}, refunded = 0) {
  const order = { ...sampleOrder(facts, refunded), ...changes };
  return { order, orderUrl: `${facts.publicUrl}/orders/${order.id}` };
}

const id = "6f1c1c0e-8a52-4d0b-9e11-0d6b9e2f1065";

function sampleShipment({ product }: SampleFacts): OrderShipment {
  return {
    id,
    number: 1,
    carrier: "UPS",
    trackingNumber: "1Z999AA10123456784",
    trackingUrl: "https://www.ups.com/track?tracknum=1Z999AA10123456784",
    shippedAt: sampleTime,
    deliveredAt: null,
    tracking: null,
    items: [{ productId: 1, name: product.name, quantity: 2 }],
  };
}

function exchangeLink({ product, priceCents }: SampleFacts): Order["exchangeOf"] {
  return {
    id,
    orderId: id,
    number: 1065,
    difference: 0,
    status: "settled",
    returnId: id,
    returned: [{ productId: 1, name: product.name, quantity: 2 }],
    value: 2 * priceCents,
    receivedAt: sampleTime,
    isCancelled: false,
    of: { id, number: 1041 },
  };
}

function sampleExchange({ product }: SampleFacts, differenceCents: number) {
  return {
    of: 1041,
    returned: [{ name: product.name, quantity: 1 }],
    added: [{ name: product.name, quantity: 2 }],
    differenceCents,
    note: "Please send it to\n1 Main St\nAustin, TX 78701",
    expiresAt: sampleTime,
  };
}

function sampleOrder(facts: SampleFacts, refunded: number): Order {
  const { product, priceCents } = facts;
  const goods = 2 * priceCents;
  const { id: _, number: __, items: ___, ...fulfilment } = sampleShipment(facts);
  return {
    id,
    number: 1065,
    status: "completed",
    payment: "paid",
    createdAt: sampleTime,
    paidAt: sampleTime,
    paidWith: "Visa ending in 4242",
    currency: "usd",
    email: "ada@example.com",
    customerName: "Ada Obi",
    ...noEntries,
    shippingAddress: "12 Elm St, Austin, TX 78701, United States",
    shipping: {
      line1: "12 Elm St",
      line2: null,
      city: "Austin",
      state: "TX",
      postalCode: "78701",
      country: "US",
    },
    shippingOption: { id: "standard", name: "Standard" },
    arrival: { earliest: "2026-11-27", latest: "2026-12-02" },
    discountCode: null,
    items: [
      {
        productId: 1,
        name: product.name,
        quantity: 2,
        price: priceCents,
        total: goods,
        listTotal: goods,
        bundleSaving: 0,
        bundles: [],
        image: product.image,
      },
    ],
    totals: {
      subtotal: goods,
      discount: 0,
      shipping: 4_95,
      tax: 0,
      total: goods + 4_95,
      currency: "usd",
      refunded,
      chargedBack: 0,
    },
    events: [],
    fulfilment,
    shipments: [sampleShipment(facts)],
    refunds: [],
    returns: [],
    cancelledAt: null,
    allBackAt: null,
    erasedAt: null,
    givingPercent: 20,
    replaces: null,
    replacements: [],
    exchanges: [],
    exchangeOf: null,
  };
}
