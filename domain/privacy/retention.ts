// How long data is kept, for the server and the privacy page. Each comment names the data.

/** Maximum age of a cookie in browsers. */
export const visitorCookieDays = 400;
/** A visitor without any stored data. */
export const emptyVisitorHours = 24;
/** A cart without changes. */
export const cartDays = 90;
/** The visitors of a product page, kept so that each is counted once an hour. */
export const viewHours = 2;
/** Personal data of an order that was never paid. */
export const unpaidOrderDays = 90;
/** Buyer and address of a paid order, needed as evidence while the card payment can be disputed. */
export const disputeWindowDays = 120;
/** Evidence of a closed dispute, which a bank may reopen. */
export const disputeEvidenceDays = 180;
/** A question about an unpublished product, or one answered by e-mail only. */
export const hiddenQuestionYears = 2;
/** The address of a person who asked, after the answer was sent. */
export const askerAddressDays = 30;
/** A photo whose review was never sent. */
export const unsentPhotoHours = 24;
/** Links that prove access to a mailbox. */
export const proofLinkHours = 1;
/** A cart with a requested reminder. */
export const abandonedCartDays = 30;
/** A sign-up or stock alert that was never confirmed, and its link. */
export const unconfirmedDays = 7;
/** A stock alert before its e-mail. */
export const stockAlertDays = 365;
/** A stock alert after its e-mail. */
export const sentStockAlertDays = 30;
/** An unsubscribed subscriber, for the owner's own lists and as proof of consent. */
export const unsubscribedDays = 365;
/** An imported customer who has not bought anything here since. */
export const importedCustomerYears = 2;
/** Hashes of a newsletter's recipients, after it was sent; its counts are kept. */
export const campaignRecipientDays = 30;
/** Unused personal codes, after the end of their discount. */
export const personalCodeDays = 30;
/** A refill reminder of a parcel that was never delivered. */
export const refillRequestDays = 730;
/** Contact messages marked as done. */
export const answeredMessageYears = 2;
/** Contact messages that certainly came from bots, unless answered. */
export const honeypotMessageDays = 90;
/** Content and address of a sent e-mail; the fact that it was sent is kept, so that it is not sent twice. */
export const sentMailYears = 2;
/** A job that failed for good, with its payload. */
export const failedTaskDays = 30;
/** Entries of the activity log. They contain ids of orders and products, and no customers. */
export const activityYears = 2;
/** Responses to calls of other programs, sent again to repeated calls with the same key. */
export const idempotencyHours = 24;
/** Deliveries to webhooks, successful or not. */
export const webhookDeliveryDays = 30;
/** An unused invitation to the panel. */
export const oldInvitationDays = 30;
/** Entries for wrong access codes. */
export const wrongCodeDays = 90;
/** Handled events of the provider, which lists them itself for 30 days. */
export const paymentEventDays = 400;
/** Declined cards with their network address. */
export const declinedCardDays = 2;
/** Events that the sandbox could not deliver, kept as long as Stripe's. */
export const undeliveredEventDays = 30;
/** A subscribed device that was neither used nor reachable. */
export const unusedDeviceDays = 365;
/** Address and picture of a carrier's label, and which labels were bought together; carriers accept no older ones. */
export const labelAddressDays = 90;
/** Prices that carriers offered. */
export const labelRateDays = 1;
