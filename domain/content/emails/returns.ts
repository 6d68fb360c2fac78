import {
  brand,
  button,
  emailText,
  firstName,
  greeting,
  heading,
  orderNumber,
  preheader,
  subject,
  words,
} from "./email-text.ts";

const order = { brand, orderNumber, firstName };
const yours = { hint: "What you write to the buyer stands below." };

/** Returns and withdrawals. The acknowledgement that the law requires of a withdrawal cannot be edited. */
export const returnEmails = {
  return_requested: emailText({
    name: "Return requested",
    when: "A buyer asks to return an order",
    facts: { ...order, reason: "The buyer’s reason", returnsSentence: "Returns in one sentence" },
    fields: {
      subject: subject(["orderNumber"]),
      preheader,
      heading: heading(),
      greeting,
      opening: words("Text", { needs: ["orderNumber", "reason", "returnsSentence"] }),
      button: button(),
    },
  }),
  return_decided: emailText({
    name: "Return decided",
    when: "You approve or decline a return",
    facts: order,
    fields: {
      subject: subject(["orderNumber"], "Subject, approved"),
      subjectDeclined: subject(["orderNumber"], "Subject, declined"),
      preheader,
      heading: heading("Heading, approved"),
      headingDeclined: heading("Heading, declined"),
      greeting,
      approved: words("Text, approved", { needs: ["orderNumber"], ...yours }),
      declined: words("Text, declined", { needs: ["orderNumber"], ...yours }),
      button: button(),
    },
  }),
  return_answered: emailText({
    name: "About a return",
    when: "You write about a return or a withdrawal",
    facts: order,
    fields: {
      subject: subject(["orderNumber"], "Subject, of a return"),
      subjectWithdrawal: subject(["orderNumber"], "Subject, of a withdrawal"),
      preheader,
      heading: heading("Heading, of a return"),
      headingWithdrawal: heading("Heading, of a withdrawal"),
      greeting,
      opening: words("Text, of a return", { needs: ["orderNumber"], ...yours }),
      openingWithdrawal: words("Text, of a withdrawal", { needs: ["orderNumber"], ...yours }),
      button: button(),
    },
  }),
  withdrawal_received: emailText({
    name: "Withdrawal received",
    when: "A buyer withdraws from the contract",
    facts: {
      ...order,
      refund: "What goes back",
      withdrawalDays: "Days of the right of withdrawal",
    },
    fields: {
      subject: subject(["orderNumber"]),
      preheader,
      heading: heading(),
      greeting,
      unpaid: words("Below the acknowledgement, if nothing is owed", {
        hint: "The acknowledgement itself is what the law wants, and can’t be edited.",
      }),
      unshipped: words("If it hadn’t shipped", { needs: ["refund"] }),
      shipped: words("If it had shipped", { needs: ["withdrawalDays"] }),
      button: button(),
    },
  }),
} as const;
