import * as v from "valibot";

/** Length of a number in the United States, the only country that texts go to. */
export const phoneDigits = 10;

/** A US number without its country code, digits only. */
export const phoneNumberSchema = v.pipe(
  v.string("Enter your 10-digit number, digits only"),
  v.regex(/^\d{10}$/, "Enter exactly 10 digits"),
);

/** Digits of a typed or pasted number: "+1 (555) 010-4477" -> "5550104477". */
export function parsePhoneDigits(text: string): string {
  const digits = text.replace(/\D/g, "");
  return digits.length === phoneDigits + 1 && digits.startsWith("1") ? digits.slice(1) : digits;
}

/** "5550104477" -> "+15550104477" */
export function e164(phoneNumber: string): string {
  return `+1${phoneNumber}`;
}

/** "+15550104477" or "5550104477" -> "number ending in 4477", for logs. */
export function maskedPhone(phoneNumber: string): string {
  return `number ending in ${phoneNumber.slice(-4)}`;
}
