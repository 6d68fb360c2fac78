/** Name of the cookie of `posted-edits.ts`. A separate file, because every page checks for the cookie, but few read it. */
export const postedCookieName = "cart-posts";
