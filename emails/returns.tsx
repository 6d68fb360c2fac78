import { formatMinute } from "../domain/orders/order-text.ts";
import { dayCount, returnsSentence, withdrawalDays } from "../domain/settings/facts.ts";
import { formatCents } from "../domain/shared/money.ts";
import { orderFacts } from "./layout/hello.ts";
import { own, wordedLetter } from "./layout/letter.tsx";
import { oneLine } from "./layout/one-line.ts";

export const returnRequested = wordedLetter<"return_requested">({
  facts: ({ order, reason, returns }) => ({
    ...orderFacts(order),
    reason,
    returnsSentence: returnsSentence(returns),
  }),
  subject: (_, said) => said.line("subject"),
  letter: ({ orderUrl }, said) => ({
    title: said.line("heading"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: said.words("opening"),
    action: { label: said.line("button"), href: orderUrl },
  }),
});

export const returnDecided = wordedLetter<"return_decided">({
  facts: ({ order }) => orderFacts(order),
  subject: ({ isApproved }, said) => said.line(isApproved ? "subject" : "subjectDeclined"),
  letter: ({ orderUrl, isApproved, answer }, said) => ({
    title: said.line(isApproved ? "heading" : "headingDeclined"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: said.words(isApproved ? "approved" : "declined"),
    quote: answer,
    action: { label: said.line("button"), href: orderUrl },
  }),
});

export const returnAnswered = wordedLetter<"return_answered">({
  facts: ({ order }) => orderFacts(order),
  subject: ({ about }, said) => said.line(about === "return" ? "subject" : "subjectWithdrawal"),
  letter: ({ orderUrl, about, answer }, said) => ({
    title: said.line(about === "return" ? "heading" : "headingWithdrawal"),
    preheader: said.line("preheader"),
    greeting: said.line("greeting"),
    words: said.words(about === "return" ? "opening" : "openingWithdrawal"),
    quote: answer,
    action: { label: said.line("button"), href: orderUrl },
  }),
});

/** The acknowledgement that the law asks for: what was declared, by whom, on which day and at what time. */
export const withdrawalReceived = wordedLetter<"withdrawal_received">({
  facts: ({ order, refundCents }) => ({
    ...orderFacts(order),
    refund: refundCents === null ? null : formatCents(refundCents),
    withdrawalDays: dayCount(withdrawalDays),
  }),
  subject: (_, said) => said.line("subject"),
  letter({ order, orderUrl, name, declaredAt, refundCents }, said, { timeZone }) {
    const goods = order.items.map((item) => `${item.quantity} × ${item.name}`).join(", ");
    // Null: the parcel has to come back first.
    const follows = refundCents === 0 ? "unpaid" : refundCents === null ? "shipped" : "unshipped";
    return {
      title: said.line("heading"),
      preheader: said.line("preheader"),
      greeting: said.line("greeting"),
      words: [
        own(`Received on ${formatMinute(declaredAt, timeZone)}:`),
        own(oneLine(`“I, ${name}, withdraw from the contract for order #${order.number} (${goods}).”`)),
        ...said.words(follows),
      ],
      action: { label: said.line("button"), href: orderUrl },
      order,
    };
  },
});
