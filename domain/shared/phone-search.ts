/** A shorter number in a search is an order's. */
const minDigits = 6;
/** Calling codes of two digits; +1 and +7 have one, all others three. */
const twoDigitCodes = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * A phone number's digits for comparison: "+49 (0)171 234" -> "49171234". The index `orders_search_facts` normalizes stored
 * numbers the same way.
 */
export function phoneDigits(phone: string): string {
  return phone.replaceAll("(0)", "").replace(/\D/g, "");
}

/**
 * Digits of which a stored phone number contains at least one sequence if it matches the search; both may be with or without
 * country code, leading zero and punctuation. Empty if the text is not part of a phone number.
 */
export function phoneSearchTerms(searchText: string): string[] {
  const text = searchText.trim();
  const digits = phoneDigits(text);
  if (!/^\+?[\d\s().\-/]+$/.test(text) || digits.length < minDigits) return [];
  const isInternational = text.startsWith("+") || digits.startsWith("00");
  const digitsWithoutZeros = digits.replace(/^0+/, "");
  const national = isInternational
    ? withoutCallingCode(digitsWithoutZeros)
    : /^1\d{10}$/.test(digitsWithoutZeros)
      ? digitsWithoutZeros.slice(1)
      : digitsWithoutZeros;
  return [...new Set([digitsWithoutZeros, national])].filter((term) => term.length >= minDigits);
}

function withoutCallingCode(digits: string): string {
  if (/^[17]/.test(digits)) return digits.slice(1);
  return digits.slice(twoDigitCodes.test(digits) ? 2 : 3);
}
