import type { CreateIntent } from "../provider.ts";

/**
 * Order data that Stripe uses to assess risk, shows to the buyer and submits in disputes. A repeated call must send exactly
 * the same: all values come from the order, none from settings that the owner may change.
 */
export function paymentDetails({ orderNumber, email, shippedTo }: CreateIntent) {
  return {
    description: `Order #${orderNumber}`,
    statement_descriptor_suffix: statementSuffix(orderNumber),
    ...(email !== undefined && isPlainEmail(email) ? { receipt_email: email } : {}),
    ...(shippedTo === undefined ? {} : { shipping: shippingOf(shippedTo) }),
  };
}

function shippingOf({ name, address }: NonNullable<CreateIntent["shippedTo"]>) {
  // The older client's address is one line: better than none.
  if (typeof address === "string") return { name, address: { line1: address } };
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    name,
    address: {
      line1,
      city,
      country,
      ...(line2 ? { line2 } : {}),
      ...(state ? { state } : {}),
      ...(postalCode ? { postal_code: postalCode } : {}),
    },
  };
}

/** Beside the account's own prefix (up to 10 characters, an asterisk and a space) 10 of 22 are left, one of them a letter. */
const suffixMax = 10;

function statementSuffix(orderNumber: number): string {
  const whole = `ORDER ${orderNumber}`;
  return whole.length <= suffixMax ? whole : `NO ${orderNumber}`.slice(0, suffixMax);
}

/** Stripe refuses the whole payment if it considers an address invalid, and it rejects some valid ones. */
export function isPlainEmail(email: string): boolean {
  return (
    email.length <= 254 && /^[\w+-]+(\.[\w+-]+)*@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,63}$/i.test(email)
  );
}
