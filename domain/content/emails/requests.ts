import {
  brand,
  button,
  emailText,
  firstName,
  followedByMessage,
  greeting,
  head,
  heading,
  line,
  orderFacts,
  orderHead,
  paragraphs,
  preheader,
  proofFields,
  subject,
} from "./email-text.ts";

const linkEmail = () =>
  emailText({
    name: "",
    when: "",
    facts: { brand },
    fields: {
      ...head(),
      ...proofFields("For somebody who did not ask for it"),
    },
  });

const messageFacts = { brand, reference: "The message’s number" };

/** Answers to requests of shoppers, and requests for payment. */
export const requestEmails = {
  payment_link: emailText({
    name: "Payment link",
    when: "You send somebody an order to be paid",
    facts: { brand, firstName, total: "The amount to pay", payUntil: "The last day to pay" },
    fields: {
      ...head(["total"]),
      greeting,
      opening: paragraphs("Above the list of products"),
      closing: paragraphs("Below it", { needs: ["total", "payUntil"] }),
      button: button("Button", ["total"]),
    },
  }),
  order_lookup: {
    ...linkEmail(),
    name: "Link to a shopper’s orders",
    when: "Somebody looks for their orders",
  },
  data_export: {
    ...linkEmail(),
    name: "Link to a shopper’s data",
    when: "Somebody asks for a copy of their data",
  },
  data_deletion: {
    ...linkEmail(),
    name: "Link to delete a shopper’s data",
    when: "Somebody asks for their data to be deleted",
  },
  data_deleted: emailText({
    name: "Data deleted",
    when: "A shopper’s data is deleted",
    facts: { brand },
    fields: {
      subject: subject(),
      subjectKept: subject([], "Subject, if some orders have to be kept"),
      preheader,
      heading: heading(),
      headingKept: heading("Heading, if some orders have to be kept"),
      opening: paragraphs("Opening"),
      openingKept: paragraphs("Opening, if some orders have to be kept", {
        hint: "The orders and the reasons are shown below this text.",
      }),
      rest: paragraphs("Below those orders"),
      stays: line("Above the list of what stays"),
      last: paragraphs("Closing line", { isOptional: true }),
    },
  }),
  contact_receipt: emailText({
    name: "Answer to a contact form",
    when: "A message arrives",
    facts: messageFacts,
    fields: {
      ...head(["reference"]),
      opening: paragraphs("Text", { needs: ["reference"] }),
      stranger: paragraphs("For somebody who did not write"),
    },
  }),
  contact_reply: emailText({
    name: "Your answer to a message",
    when: "You answer a message",
    facts: { ...messageFacts, writtenOn: "When it was written" },
    fields: {
      subject: subject(["reference"]),
      heading: heading(),
      quoteNote: line("Above the message that you answer", { needs: ["writtenOn"] }),
    },
  }),
  question_answer: emailText({
    name: "Your answer to a question",
    when: "You answer a question about a product",
    facts: { brand, productName: "The product" },
    fields: {
      subject: subject(),
      heading: heading(),
      asked: line("Above the question", { needs: ["productName"] }),
      button: button(),
    },
  }),
} as const;

/** Returns and withdrawals. The acknowledgement that the law requires of a withdrawal cannot be edited. */
export const returnEmails = {
  return_requested: emailText({
    name: "Return requested",
    when: "A buyer asks to return an order",
    facts: { ...orderFacts, reason: "The buyer’s reason", returnsSentence: "Returns in one sentence" },
    fields: {
      ...orderHead,
      opening: paragraphs("Text", { needs: ["orderNumber", "reason", "returnsSentence"] }),
      button: button(),
    },
  }),
  return_decided: emailText({
    name: "Return decided",
    when: "You approve or decline a return",
    facts: orderFacts,
    fields: {
      subject: subject(["orderNumber"], "Subject, approved"),
      subjectDeclined: subject(["orderNumber"], "Subject, declined"),
      preheader,
      heading: heading("Heading, approved"),
      headingDeclined: heading("Heading, declined"),
      greeting,
      approved: paragraphs("Text, approved", { needs: ["orderNumber"], ...followedByMessage }),
      declined: paragraphs("Text, declined", { needs: ["orderNumber"], ...followedByMessage }),
      button: button(),
    },
  }),
  return_answered: emailText({
    name: "About a return",
    when: "You write about a return or a withdrawal",
    facts: orderFacts,
    fields: {
      subject: subject(["orderNumber"], "Subject, of a return"),
      subjectWithdrawal: subject(["orderNumber"], "Subject, of a withdrawal"),
      preheader,
      heading: heading("Heading, of a return"),
      headingWithdrawal: heading("Heading, of a withdrawal"),
      greeting,
      opening: paragraphs("Text, of a return", { needs: ["orderNumber"], ...followedByMessage }),
      openingWithdrawal: paragraphs("Text, of a withdrawal", {
        needs: ["orderNumber"],
        ...followedByMessage,
      }),
      button: button(),
    },
  }),
  return_label: emailText({
    name: "Return label",
    when: "You send the label of a return",
    facts: { ...orderFacts, carrier: "The carrier" },
    fields: {
      ...orderHead,
      opening: paragraphs("Text", { needs: ["orderNumber", "carrier"] }),
      button: button(),
    },
  }),
  withdrawal_received: emailText({
    name: "Withdrawal received",
    when: "A buyer withdraws from the contract",
    facts: {
      ...orderFacts,
      refund: "The refunded amount",
      bankSentence: "How long banks take, if it goes through one",
      withdrawalDays: "Days of the right of withdrawal",
    },
    fields: {
      ...orderHead,
      unpaid: paragraphs("Below the acknowledgement, if nothing is owed", {
        hint: "The law prescribes the acknowledgement itself, so it can’t be edited.",
      }),
      unshipped: paragraphs("Text, if it had not shipped", { needs: ["refund"] }),
      shipped: paragraphs("Text, if it had shipped", { needs: ["withdrawalDays"] }),
      button: button(),
    },
  }),
} as const;
