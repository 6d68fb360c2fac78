import { disputeWindowDays } from "./retention.ts";

/** Explains which data an erasure deletes, keeps or deletes later, for the page that requests it and the e-mails about it. */
export const erasureFacts = {
  deleted: [
    "Your name, email address, phone number, street, town and postal code in your orders",
    "Your reviews, and what you wrote when you returned something",
    "Your messages to us and the emails we sent you, as far as we keep them",
    "Your carts, reminders, alerts, newsletter sign-up and links, and what ties orders to your browsers",
  ],
  kept: [
    "From each order, what its invoice needs: number, dates, products, amounts and tax, with the country and state it went to. Tax law requires us to keep them.",
    "The record of a card payment at the payment provider, which keeps it by its own rules.",
    "Emails that were delivered already, in the mailboxes they reached, yours and ours.",
    "If you unsubscribed from emails: a code made from your address, so that we know not to write to it.",
  ],
  postponed: `An order that is still on its way, can still be returned or is being refunded keeps what it needs until that is over. So does one whose payment can still be disputed with the bank, for ${disputeWindowDays} days after it was paid. Then the rest is deleted automatically.`,
} as const;
