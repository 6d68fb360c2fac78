import {
  button,
  emailText,
  followedByMessage,
  greeting,
  head,
  heading,
  orderFacts,
  orderHead,
  paragraphs,
  preheader,
  subject,
} from "./email-text.ts";

const parcel = {
  goods: "“Order #1001”, or “Your gift to Ben (order #1001)”",
  goodsInside: "The same inside a sentence: “order #1001”",
  carrier: "The carrier",
  trackingNumber: "The tracking number",
  parcelLines: "The contents of this parcel",
};
const parcelButtons = { button: button("Button to the parcel"), buttonOrder: button("Button to the order") };

/** E-mails to buyers from payment to delivery. */
export const orderEmails = {
  order_confirmation: emailText({
    name: "Order confirmation",
    when: "An order is paid",
    facts: {
      ...orderFacts,
      total: "What was paid",
      firstNumber: "The number of the order that was exchanged",
      dispatchSentence: "When orders ship",
      deliverySentence: "How long the delivery then takes",
    },
    fields: {
      ...orderHead,
      opening: paragraphs("Opening", { needs: ["total"] }),
      openingExchange: paragraphs("Opening, if an exchange pays all of it", { needs: ["firstNumber"] }),
      button: button(),
      next: paragraphs("What happens next", { needs: ["dispatchSentence"] }),
    },
  }),
  order_shipped: emailText({
    name: "Order shipped",
    when: "A parcel is handed to the carrier",
    facts: {
      ...orderFacts,
      ...parcel,
      deliverySentence: "How long the delivery takes",
      restSentence: "Whether another parcel follows",
    },
    paragraphFacts: ["trackingNumber"],
    fields: {
      subject: subject(["orderNumber"]),
      subjectPart: subject(["orderNumber"], "Subject, for a part of the order"),
      preheader,
      heading: heading(),
      headingPart: heading("Heading, for a part of the order"),
      greeting,
      opening: paragraphs("Opening", { needs: ["goods", "carrier"] }),
      openingPart: paragraphs("Opening, for a part of the order", {
        needs: ["goodsInside", "carrier", "parcelLines", "restSentence"],
      }),
      tracking: paragraphs("Tracking", {
        needs: ["trackingNumber"],
        hint: "Left out where the parcel can’t be followed.",
      }),
      ...parcelButtons,
    },
  }),
  parcel_delayed: emailText({
    name: "Parcel delayed",
    when: "The carrier reports a problem with a parcel on its way, at most once a week",
    facts: { ...orderFacts, ...parcel },
    paragraphFacts: ["trackingNumber"],
    fields: {
      ...orderHead,
      opening: paragraphs("Opening", { needs: ["goods", "carrier"] }),
      openingPart: paragraphs("Opening, for a part of the order", {
        needs: ["goodsInside", "carrier", "parcelLines"],
      }),
      next: paragraphs("What happens next", { needs: ["trackingNumber"] }),
      ...parcelButtons,
    },
  }),
  order_delivered: emailText({
    name: "Order delivered",
    when: "The parcel arrives",
    facts: { ...orderFacts, goods: parcel.goods, returnsSentence: "Returns in one sentence" },
    fields: {
      ...head(["orderNumber"]),
      opening: paragraphs("Opening"),
      openingGift: paragraphs("Opening, for a gift"),
      help: paragraphs("If something is wrong", { needs: ["returnsSentence"] }),
      button: button("Button to the order"),
      again: button("Link to buy it again"),
    },
  }),
  parcel_corrected: emailText({
    name: "Tracking corrected",
    when: "You correct a carrier or tracking number",
    facts: { ...orderFacts, carrier: parcel.carrier, trackingNumber: parcel.trackingNumber },
    paragraphFacts: ["trackingNumber"],
    fields: {
      ...orderHead,
      opening: paragraphs("Opening", { needs: ["orderNumber"] }),
      tracking: paragraphs("Tracking", { needs: ["carrier", "trackingNumber"] }),
      noTracking: paragraphs("Without a tracking number", { needs: ["carrier"] }),
      ...parcelButtons,
    },
  }),
  address_changed: emailText({
    name: "Address changed",
    when: "The buyer or you change where an order goes, or its contact",
    facts: {
      ...orderFacts,
      recipient: "The recipient’s name",
      address: "The new address",
      changed: "What you changed: “email and phone”",
      newAddressSentence: "Where it goes, if you changed that",
      newsSentence: "Where messages about it go, if you changed the email",
    },
    fields: {
      subject: subject(["orderNumber"]),
      subjectDetails: subject(["orderNumber"], "Subject, where the address stays"),
      preheader,
      heading: heading("Heading, if the buyer changed it"),
      headingShop: heading("Heading, if you changed it"),
      greeting,
      byBuyer: paragraphs("Text, if the buyer changed it", {
        needs: ["orderNumber", "recipient", "address"],
      }),
      byShop: paragraphs("Text, if you changed it", {
        needs: ["orderNumber", "changed", "newAddressSentence", "newsSentence"],
      }),
      button: button("Button to the order"),
      buttonContact: button("Button in the copy to the former address, to your contact form"),
    },
  }),
  order_called_off: emailText({
    name: "Order cancelled",
    when: "A paid order is cancelled before it ships",
    facts: {
      ...orderFacts,
      refund: "The refunded amount",
      whereBack: "“to the card or account you paid with”",
      bankSentence: "How long banks take, if it goes through one",
    },
    fields: {
      ...orderHead,
      byBuyer: paragraphs("Opening, if the buyer cancelled", { needs: ["orderNumber"] }),
      byShop: paragraphs("Opening, if you cancelled", {
        needs: ["orderNumber"],
        ...followedByMessage,
      }),
      refund: paragraphs("Refund", { needs: ["refund", "whereBack", "bankSentence"] }),
      noRefund: paragraphs("Text, if everything was refunded before"),
      button: button(),
    },
  }),
  refund_sent: emailText({
    name: "Refund sent",
    when: "A refund goes through",
    facts: {
      ...orderFacts,
      refund: "The refunded amount",
      whereBack: "“to the card or account you paid with”",
      inAllSentence: "The total refunded so far, after several refunds",
      bankSentence: "How long banks take, if it goes through one",
    },
    fields: {
      ...orderHead,
      opening: paragraphs("Text", {
        needs: ["refund", "orderNumber", "whereBack", "inAllSentence", "bankSentence"],
      }),
      button: button(),
    },
  }),
  items_to_pay: emailText({
    name: "Link to pay for added items",
    when: "You add items to a paid order, and there is a difference to be paid",
    facts: { ...orderFacts, toPay: "The amount to pay", payUntil: "The last day to pay" },
    fields: {
      ...orderHead,
      opening: paragraphs("Above what changes", { needs: ["orderNumber"] }),
      closing: paragraphs("Below it", {
        needs: ["toPay"],
        ...followedByMessage,
      }),
      button: button("Button", ["toPay"]),
      buttonOrder: button("Link to the order"),
    },
  }),
  items_changed: emailText({
    name: "Items of an order changed",
    when: "Items are added to a paid order or removed from it",
    facts: { ...orderFacts, moneySentence: "The amount paid or refunded for it" },
    fields: {
      ...orderHead,
      opening: paragraphs("Above what has changed", { needs: ["orderNumber"] }),
      closing: paragraphs("Below it", { needs: ["moneySentence"] }),
      button: button(),
    },
  }),
  replacement_sent: emailText({
    name: "Replacement",
    when: "You send units of an order again at no charge",
    facts: {
      ...orderFacts,
      firstNumber: "The number of the original order",
      reasonSentence: "An apology for what happened",
    },
    fields: {
      ...orderHead,
      opening: paragraphs("Above the parcel’s contents", { needs: ["firstNumber"] }),
      closing: paragraphs("Below it", followedByMessage),
      button: button(),
    },
  }),
  exchange_begun: emailText({
    name: "Exchange",
    when: "You exchange units of an order",
    facts: {
      ...orderFacts,
      firstNumber: "The number of the order whose units come back",
      toPay: "The difference to be paid",
      payUntil: "The last day to pay",
      refundSentence: "The amount refunded once the return has arrived",
    },
    fields: {
      ...head(["firstNumber"]),
      greeting,
      opening: paragraphs("Above the exchanged items", { needs: ["firstNumber"] }),
      closing: paragraphs("Below it, with nothing to pay", { needs: ["orderNumber", "refundSentence"] }),
      closingToPay: paragraphs("Below it, with a difference to pay", {
        needs: ["toPay", "payUntil"],
        ...followedByMessage,
      }),
      button: button("Button", ["toPay"]),
      buttonOrder: button("Link to the order"),
    },
  }),
} as const;
