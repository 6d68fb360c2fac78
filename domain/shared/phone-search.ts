/** Fewer digits than these are an order's number rather than a part of a phone number. */
const digitsMin = 6;
/** Calling codes of two digits; +1 and +7 have one, all others three. */
const twoDigitCodes = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * The digits of a phone number as they are compared: "+49 (0)171 234" -> "49171234". The index `orders_search_details`
 * does the same to stored numbers.
 */
export function phoneDigits(phone: string): string {
  return phone.replaceAll("(0)", "").replace(/\D/g, "");
}

/**
 * What a stored number, reduced to its digits, may contain if it is the one that was typed: both may be written with or
 * without the country's code, a leading zero, and signs between. Empty: what was typed is no part of a phone number.
 */
export function phoneNeedles(typed: string): string[] {
  const text = typed.trim();
  const digits = phoneDigits(text);
  if (!/^\+?[\d\s().\-/]+$/.test(text) || digits.length < digitsMin) return [];
  const isInternational = text.startsWith("+") || digits.startsWith("00");
  const whole = digits.replace(/^0+/, "");
  const national = isInternational
    ? withoutCallingCode(whole)
    : /^1\d{10}$/.test(whole)
      ? whole.slice(1)
      : whole;
  return [...new Set([whole, national])].filter((needle) => needle.length >= digitsMin);
}

function withoutCallingCode(digits: string): string {
  if (/^[17]/.test(digits)) return digits.slice(1);
  return digits.slice(twoDigitCodes.test(digits) ? 2 : 3);
}
