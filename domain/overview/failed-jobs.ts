import * as v from "valibot";
import { messageKinds } from "../outbox/outbox.ts";
import { capitalize } from "../shared/capitalize.ts";

type JobDescription = {
  title: string;
  /** Consequence of the failure. */
  meaning?: string;
  /** Whether the job can be removed without losing something that the shop owes or a person waits for. */
  canRemove?: true;
};

const harmless = { canRemove: true } as const;

/** Job name -> its description for the owner. */
const jobDescriptions: Record<string, JobDescription> = {
  send_message: { title: "Send a message", meaning: "An email or text has not gone out." },
  send_campaign: {
    title: "Send a newsletter",
    meaning: "Subscribers further down the list have not received it yet.",
  },
  resume_campaigns: { title: "Start newsletters whose time has come", ...harmless },
  book_mail_report: { title: "Record that an email came back", ...harmless },
  deliver_webhooks: { title: "Deliver webhooks", meaning: "Another program has not received an event." },
  notify_device: { title: "Notify a phone", ...harmless },
  check_text: { title: "Check whether a text arrived", ...harmless },
  send_lookup: {
    title: "Send an order link",
    meaning: "Somebody asked for their orders by email.",
    ...harmless,
  },
  request_review: { title: "Ask for a review", ...harmless },
  remind_of_cart: { title: "Send a cart reminder", ...harmless },
  work_payment_event: {
    title: "Handle a payment event",
    meaning: "A payment, refund or dispute may not show in its order yet.",
  },
  send_refund: { title: "Send a refund", meaning: "The buyer has not been refunded yet." },
  sync_refunds: { title: "Update an order’s refunds", meaning: "The order may show too small a refund." },
  sync_disputes: { title: "Update an order’s disputes", meaning: "A dispute may not show in its order yet." },
  send_evidence: {
    title: "Send evidence to the bank",
    meaning: "A dispute has not been answered yet; its deadline keeps running.",
  },
  remind_of_disputes: { title: "Send reminders of disputes to answer", ...harmless },
  close_declined: { title: "Close a payment after declined cards" },
  give_up_others: { title: "Cancel a buyer’s older unpaid orders" },
  end_failed_payment: { title: "End an order whose payment failed" },
  end_exchange: { title: "End an exchange that can no longer be made" },
  close_change_payment: {
    title: "Close a payment link",
    meaning:
      "An order edit can still be paid even though it was withdrawn; such a payment is refunded automatically.",
  },
  buy_labels: {
    title: "Buy labels",
    meaning: "Some chosen orders have no label yet.",
  },
  look_after_parcel: { title: "Ask a carrier where a parcel is", ...harmless },
  watch_parcels: { title: "Ask carriers where parcels are", ...harmless },
  watch_labels: { title: "Ask carriers about unanswered labels", ...harmless },
  expire_orders: { title: "End unpaid orders" },
  refresh_customers: { title: "Work out the customers of changed orders", ...harmless },
  reconcile_payments: {
    title: "Compare open payments with the provider",
    meaning: "A payment or refund may not show in its order yet.",
  },
  take_up_events: { title: "Handle payment events left over from a crash" },
  catch_up_events: {
    title: "Look for missed payment events",
    meaning: "Buyers may not be able to pay, and payments may not show in their orders yet.",
  },
  finish_openings: { title: "Finish starting a payment" },
  erase_personal_data: {
    title: "Delete somebody’s personal data",
    meaning: "Somebody asked for it, and the law sets a time.",
  },
  run_money_check: { title: "Run a money check", ...harmless },
  nightly_money_check: { title: "Start the nightly money check", ...harmless },
  make_backup: { title: "Make a backup", meaning: "That backup does not exist.", ...harmless },
  nightly_backup: { title: "Start the nightly backup", ...harmless },
  watch_recurring: { title: "Look for work that keeps failing", ...harmless },
  watch_mail: { title: "Check that emails are sent", ...harmless },
  watch_archive: { title: "Maintain the archive of the database", ...harmless },
  upload_off_site: {
    title: "Copy backups to the bucket",
    meaning: "The newest backups are not in the bucket yet.",
    ...harmless,
  },
  after_restore: { title: "Finish restoring a backup" },
  make_picture: { title: "Make the sizes of a picture", ...harmless },
  make_picture_sizes: { title: "Make the sizes of a picture", ...harmless },
  issue_invoices: {
    title: "Issue invoices and credit notes",
    meaning: "A paid order or a refund may have no document yet.",
    ...harmless,
  },
  read_balance: { title: "Read fees and payouts from the payment provider", ...harmless },
  forget_imports: { title: "Delete the undo data of imports", ...harmless },
  refresh_sales: { title: "Add up sales", ...harmless },
  refresh_books: { title: "Add up the books", ...harmless },
  add_up_order_counts: { title: "Add up counts of orders", ...harmless },
  watch_stock: { title: "Look for low stock", ...harmless },
  notify_back_in_stock: { title: "Tell waiting shoppers that a product is back", ...harmless },
  remind_of_refill: { title: "Send refill reminders", ...harmless },
  watch_settings: { title: "Check the settings", ...harmless },
  watch_email_texts: { title: "Check the texts of emails", ...harmless },
  housekeeping: { title: "Delete old data", ...harmless },
  tidy_up: { title: "Tidy up every minute", ...harmless },
};

/** A job that this version no longer has is described by its name. */
export function describeJob(kind: string): JobDescription {
  const unknownJob = { title: capitalize(kind.replaceAll("_", " ")), ...harmless };
  return (isJobNamed(kind) && jobDescriptions[kind]) || unknownJob;
}

export function isJobNamed(kind: string): boolean {
  return Object.hasOwn(jobDescriptions, kind);
}

/** Parts of technical errors, and what they mean to the owner. */
const errorMeanings: [RegExp, string][] = [
  [/^Failed query|violates .*constraint|deadlock detected/, "The database did not accept it."],
  [
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed/,
    "Another server could not be reached.",
  ],
  [/ENOSPC|EDQUOT|EROFS|EACCES/, "The disk is full, or the shop may not write to it."],
  [/^[45]\d\d[ -]/, "The mail server refused it."],
  [/is not a function|of undefined|of null|is not defined/, "The shop’s program made a mistake."],
];

/** A technical error in the owner's words; null if the error needs no translation. */
export function errorInWords(error: string): string | null {
  return errorMeanings.find(([pattern]) => pattern.test(error))?.[1] ?? null;
}

/** A background job that failed in all of its attempts. */
const failedJobSchema = v.object({
  id: v.string(),
  kind: v.string(),
  order: v.nullable(v.object({ id: v.string(), number: v.number() })),
  message: v.nullable(v.object({ id: v.string(), kind: v.picklist(messageKinds) })),
  /** Error of the last attempt. */
  reason: v.nullable(v.string()),
  failedAt: v.string(),
  attempts: v.number(),
});
export type FailedJob = v.InferOutput<typeof failedJobSchema>;

export const failedJobsSchema = v.object({
  /** Latest first, at most 100. */
  jobs: v.array(failedJobSchema),
  total: v.number(),
  /** Failed jobs that will be retried. */
  retrying: v.number(),
});
export type FailedJobs = v.InferOutput<typeof failedJobsSchema>;
