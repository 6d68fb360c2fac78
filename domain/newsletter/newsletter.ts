/** Where a shopper can sign up: the foot of every page, and the page after a paid order. */
export const signUpPlaces = ["footer", "success"] as const;
export type SignUpPlace = (typeof signUpPlaces)[number];
