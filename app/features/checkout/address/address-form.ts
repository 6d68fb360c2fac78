import { type AddressPart, addressFormat, missingText } from "../../../../domain/address/address-format.ts";
import { maxGiftFromLength, maxGiftNoteLength } from "../../../../domain/orders/order-limits.ts";
import { countryName, countryStates } from "../../../../domain/shared/country.ts";
import { emailProblem } from "../../../../domain/shared/email-text.ts";
import { homeCountry } from "../../../../domain/shipping/shipping-policy.ts";

/**
 * The shopper's entries at checkout. `country` is a code, `shippingOption` an id or "" for none. `gift` is "on" or "", as a
 * checkbox sends it; for a gift, name, phone and address are the recipient's.
 */
export type AddressForm = Record<AddressField, string>;
export type AddressField = (typeof addressFields)[number];

export const addressFields = [
  "gift",
  "giftFrom",
  "giftNote",
  "firstName",
  "lastName",
  "email",
  "phone",
  "country",
  "line1",
  "line2",
  "city",
  "state",
  "postalCode",
  "shippingOption",
] as const;

/** The form's fields for a country, in the order of display. */
export function countryFields(country: string): AddressField[] {
  const { parts } = addressFormat(country);
  return [
    "email",
    "firstName",
    "lastName",
    "phone",
    "country",
    ...parts,
    "giftNote",
    "giftFrom",
    "shippingOption",
  ];
}

export const emptyAddressForm: AddressForm = {
  gift: "",
  giftFrom: "",
  giftNote: "",
  firstName: "",
  lastName: "",
  email: "",
  phone: "",
  country: homeCountry,
  line1: "",
  line2: "",
  city: "",
  state: "",
  postalCode: "",
  shippingOption: "",
};

export function isRequired(field: AddressField, country: string): boolean {
  if (isAddressPart(field)) return addressFormat(country).required.has(field);
  return requiredMessages[field] !== undefined;
}

function isAddressPart(field: AddressField): field is AddressPart {
  return ["line1", "line2", "city", "state", "postalCode"].includes(field);
}

/** Error messages by field; empty if the form can be sent. */
export function checkAddressForm(form: AddressForm): Partial<Record<AddressField, string>> {
  const problems: Partial<Record<AddressField, string>> = {};
  for (const field of countryFields(form.country)) {
    const value = form[field].trim();
    if (value === "" && isRequired(field, form.country))
      problems[field] = isAddressPart(field)
        ? missingText(field, form.country)
        : (requiredMessages[field] ?? "");
    else if (value.length > maxLengths[field]) problems[field] = `At most ${maxLengths[field]} characters`;
  }
  const emailError = emailProblem(form.email);
  if (!problems.email && emailError !== null) problems.email = emailError;
  return problems;
}

/** A warning about a malformed US ZIP code, or null. The same ZIP code is accepted when it is sent again. */
export function zipCodeWarning({ country, postalCode }: AddressForm): string | null {
  if (country !== "US" || /^\d{5}([ -]?\d{4})?$/.test(postalCode.trim())) return null;
  return "A US ZIP code has five digits, like 78701. If yours is right, press Continue to Payment again.";
}

/** Whether a required field is empty (as opposed to invalid). */
export function isIncomplete(form: AddressForm): boolean {
  return countryFields(form.country).some(
    (field) => isRequired(field, form.country) && form[field].trim() === "",
  );
}

/** Reads a form sent without JavaScript; `entry` returns the text of a field. */
export function readAddressForm(entry: (field: AddressField) => string): AddressForm {
  const form = { ...emptyAddressForm };
  for (const field of addressFields)
    form[field] = entry(field)
      .replaceAll("\r\n", "\n")
      .slice(0, maxLengths[field] + 1);
  const country = countryName(form.country) ? form.country : homeCountry;
  return { ...withCountry(form, form.country), country };
}

/** Reads a stored form; unknown fields and values that are not text are ignored. */
export function parseAddressForm(text: string | null): AddressForm {
  const entries = parseJson(text);
  const form = { ...emptyAddressForm };
  for (const field of addressFields) {
    const value = entries?.[field];
    if (typeof value === "string") form[field] = value.slice(0, maxLengths[field]);
  }
  return withCountry(form, form.country);
}

/** The form with another country; a state that the country does not have is emptied. */
export function withCountry(form: AddressForm, country: string): AddressForm {
  const states = countryStates(country);
  const keepsState = states ? states.some(([code]) => code === form.state) : country === form.country;
  return { ...form, country, state: keepsState ? form.state : "" };
}

/** The form's field for a path in the server's response. */
export function fieldForPath(path: string): AddressField | null {
  if (path === "gift.from") return "giftFrom";
  if (path === "gift.note") return "giftNote";
  const name = path.replace(/^(metadata|shipping)\./, "");
  if (name === "customerName") return "firstName";
  return addressFields.find((field) => field === name) ?? null;
}

const requiredMessages: { [Field in AddressField]?: string } = {
  firstName: "Enter your first name",
  lastName: "Enter your last name",
  email: "Enter your email address",
  country: "Choose a country",
};

const maxLengths: Record<AddressField, number> = {
  gift: 2,
  giftFrom: maxGiftFromLength,
  giftNote: maxGiftNoteLength,
  firstName: 99,
  lastName: 99,
  email: 254,
  phone: 40,
  country: 2,
  line1: 200,
  line2: 200,
  city: 100,
  state: 100,
  postalCode: 20,
  shippingOption: 40,
};

function parseJson(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
