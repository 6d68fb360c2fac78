/** How long the shop keeps what it knows of people: what the server does and what the privacy page says. */
/** Browsers keep a cookie no longer than this; after it nobody can come back as the same visitor. */
export const visitorCookieDays = 400;
/** A visitor of whom nothing is left to remember. */
export const emptyVisitorHours = 24;
/** A cart that nobody has changed. */
export const cartDays = 90;
/** A product page counts a visitor once an hour; who it was is forgotten after these hours. */
export const viewHours = 2;
/** An order that was never paid: who it was for, and where to. */
export const unpaidOrderDays = 90;
/** How long banks take a dispute of a card payment; answering one needs to show who ordered, and where it was sent. */
export const disputeWindowDays = 120;
/** What a dispute was answered with, once it is over: a bank may come back to it. */
export const disputeEvidenceDays = 180;
/** A question about a product that is not on show: never answered, or answered by e-mail alone. */
export const hiddenQuestionYears = 2;
/** The address of whoever asked, once the answer went out. */
export const askerAddressDays = 30;
/** A photo for a review that was not sent. */
export const unsentPhotoHours = 24;
/** Links that prove an e-mail address. */
export const proofLinkHours = 1;
/** A cart that was left with the wish for a reminder. */
export const leftCartDays = 30;
/** A sign-up, for the newsletter or for word of a product, that its address never confirmed. Its link works as long. */
export const unconfirmedDays = 7;
/** The wish to hear when a product is back. */
export const stockAlertDays = 365;
/** The same once the e-mail went out. */
export const sentStockAlertDays = 30;
/** A subscriber who has unsubscribed: the owner's own lists have to follow, and consent can be asked about. */
export const unsubscribedDays = 365;
/** The wish for a reminder of a refill, for a parcel that never was delivered. */
export const refillWishDays = 730;
/** Messages from the contact forms, once they are dealt with. */
export const answeredMessageYears = 2;
/** Messages that only a robot can have sent, unless they were answered. */
export const honeypotMessageDays = 90;
/** Words and address of an e-mail that went out; that it was sent stays known, so that nothing is sent twice. */
export const sentMailYears = 2;
/** A task that failed to its last try, with what it was about. */
export const failedTaskDays = 30;
/** The record of what was changed in the admin panel. It names orders and products by number, and no customer. */
export const activityYears = 2;
/** A link into the admin panel that nobody used in time. */
export const oldInvitationDays = 30;
/** In that record, wrong access codes. */
export const wrongCodeDays = 90;
/** The provider's events, once worked: it lists them for 30 days itself. */
export const paymentEventDays = 400;
/** That a card was declined, and from which network address. */
export const declinedCardDays = 2;
/** Events that the sandbox could not deliver. As Stripe keeps its own. */
export const undeliveredEventDays = 30;
/** A phone that is told of orders, once it was neither opened nor reached any more. */
export const unusedDeviceDays = 365;
