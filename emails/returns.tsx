import { buyerName } from "../domain/orders/first-name.ts";
import { formatMinute } from "../domain/orders/order-text.ts";
import { returnsSentence, withdrawalDays } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { letterTemplate } from "./layout/letter.tsx";

export const returnRequested = letterTemplate<"return_requested">({
  subject: ({ order }) => `Your return of order #${order.number}: we have your request`,
  letter({ order, orderUrl, reason, returns }) {
    return {
      title: "We have your return request",
      to: buyerName(order),
      paragraphs: [
        `You asked to return order #${order.number}.`,
        `Your reason: ${reason}`,
        "Please wait for our answer before you send anything. It will have the address to send it to.",
        returnsSentence(returns),
      ],
      action: { label: "View your order", href: orderUrl },
    };
  },
});

export const returnDecided = letterTemplate<"return_decided">({
  subject: ({ order, isApproved }) =>
    `Your return of order #${order.number} is ${isApproved ? "approved" : "declined"}`,
  letter({ order, orderUrl, isApproved, answer }) {
    return {
      title: isApproved ? "Your return is approved" : "Your return is declined",
      to: buyerName(order),
      paragraphs: [
        isApproved
          ? `You can send order #${order.number} back. Once it arrives, we’ll refund you.`
          : `We can’t take order #${order.number} back.`,
      ],
      quote: answer,
      action: { label: "View your order", href: orderUrl },
    };
  },
});

export const returnAnswered = letterTemplate<"return_answered">({
  subject: ({ order, about }) =>
    `About your ${about === "return" ? "return of" : "withdrawal from"} order #${order.number}`,
  letter({ order, orderUrl, about, answer }) {
    return {
      title: about === "withdrawal" ? "About your withdrawal" : "About your return",
      to: buyerName(order),
      paragraphs: [
        about === "withdrawal"
          ? `You have withdrawn from order #${order.number}. Here is what you need to know:`
          : `You asked to return order #${order.number}. Here is our answer:`,
      ],
      quote: answer,
      action: { label: "View your order", href: orderUrl },
    };
  },
});

/** The acknowledgement that the law asks for: what was declared, by whom, on which day and at what time. */
export const withdrawalReceived = letterTemplate<"withdrawal_received">({
  subject: ({ order }) => `Your withdrawal from order #${order.number}: acknowledgement of receipt`,
  letter({ order, orderUrl, name, declaredAt, refundCents }, { timeZone }) {
    const goods = order.items.map((item) => `${item.quantity} × ${item.name}`).join(", ");
    return {
      title: "We have received your withdrawal",
      to: buyerName(order),
      paragraphs: [
        `Received on ${formatMinute(declaredAt, timeZone)}:`,
        `“I, ${name}, withdraw from the contract for order #${order.number} (${goods}).”`,
        ...whatFollows(refundCents),
      ],
      action: { label: "View your order", href: orderUrl },
      order,
    };
  },
});

/** `refundCents`: null where the parcel has to come back first. */
function whatFollows(refundCents: number | null): string[] {
  if (refundCents === 0)
    return ["The order is cancelled. Nothing more is charged, and nothing has to be sent back."];
  if (refundCents !== null) {
    return [
      `The order hadn’t shipped, so it won’t be sent. ${formatCents(refundCents)} goes back to the card or account you paid with. How soon you see it depends on your bank.`,
    ];
  }
  return [
    `Please send the goods back within ${withdrawalDays} days of this statement. We’ll email you the address.`,
    `We refund what you paid, including our cheapest delivery, within ${withdrawalDays} days. We may wait until the goods, or proof that you sent them, have reached us.`,
  ];
}
