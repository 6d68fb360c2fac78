/** Name of the cookie of `posted-edits.ts`, apart from it: every page looks for the cookie, and few have to read it. */
export const postedCookieName = "cart-posts";
