import { formatMinute } from "../domain/orders/order-text.ts";
import { dayCount, returnsSentence, withdrawalDays } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { orderFacts } from "./layout/greeting.ts";
import { oneLine } from "./layout/one-line.ts";
import { editableTemplate, fixedText } from "./layout/simple-template.tsx";
import { refundBankSentence } from "./order-updates.tsx";

export const returnRequested = editableTemplate<"return_requested">({
  facts: ({ order, reason, returns }) => ({
    ...orderFacts(order),
    reason,
    returnsSentence: returnsSentence(returns),
  }),
  content: ({ orderUrl }, texts) => ({
    blocks: texts.blocks("opening"),
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

export const returnDecided = editableTemplate<"return_decided">({
  facts: ({ order }) => orderFacts(order),
  subject: ({ isApproved }, texts) => texts.line(isApproved ? "subject" : "subjectDeclined"),
  content: ({ orderUrl, isApproved, answer }, texts) => ({
    title: texts.line(isApproved ? "heading" : "headingDeclined"),
    blocks: texts.blocks(isApproved ? "approved" : "declined"),
    quote: answer,
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

export const returnAnswered = editableTemplate<"return_answered">({
  facts: ({ order }) => orderFacts(order),
  subject: ({ about }, texts) => texts.line(about === "return" ? "subject" : "subjectWithdrawal"),
  content: ({ orderUrl, about, answer }, texts) => ({
    title: texts.line(about === "return" ? "heading" : "headingWithdrawal"),
    blocks: texts.blocks(about === "return" ? "opening" : "openingWithdrawal"),
    quote: answer,
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

export const returnLabel = editableTemplate<"return_label">({
  facts: ({ order, carrier }) => ({ ...orderFacts(order), carrier }),
  content: ({ orderUrl }, texts) => ({
    blocks: texts.blocks("opening"),
    action: { label: texts.line("button"), href: orderUrl },
  }),
});

/** The acknowledgement required by law: what was declared, by whom, and when. */
export const withdrawalReceived = editableTemplate<"withdrawal_received">({
  facts: ({ order, refundCents }) => ({
    ...orderFacts(order),
    refund: refundCents === null ? null : formatCents(refundCents),
    bankSentence: refundBankSentence(order),
    withdrawalDays: dayCount(withdrawalDays),
  }),
  content({ order, orderUrl, name, declaredAt, refundCents }, texts, { timeZone }) {
    const goods = order.items.map((item) => `${item.quantity} × ${item.name}`).join(", ");
    // The amount is null if the refund waits for the parcel's return.
    const ending = refundCents === 0 ? "unpaid" : refundCents === null ? "shipped" : "unshipped";
    return {
      blocks: [
        fixedText(`Received on ${formatMinute(declaredAt, timeZone)}:`),
        fixedText(oneLine(`“I, ${name}, withdraw from the contract for order #${order.number} (${goods}).”`)),
        ...texts.blocks(ending),
      ],
      action: { label: texts.line("button"), href: orderUrl },
      order,
    };
  },
});
