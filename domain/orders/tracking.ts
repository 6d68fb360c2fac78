/** Where a parcel with a label is. `announced`: the carrier has not scanned it yet. */
export const trackingStates = ["announced", "on_the_way", "exception", "delivered"] as const;
export type TrackingState = (typeof trackingStates)[number];

export const carriers = ["USPS", "UPS", "FedEx", "DHL", "Royal Mail", "Canada Post"] as const;
type Carrier = (typeof carriers)[number];

const trackingPages: Record<Carrier, string> = {
  USPS: "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
  UPS: "https://www.ups.com/track?tracknum=",
  FedEx: "https://www.fedex.com/fedextrack/?trknbr=",
  DHL: "https://www.dhl.com/en/express/tracking.html?AWB=",
  "Royal Mail": "https://www.royalmail.com/track-your-item#/tracking-results/",
  "Canada Post": "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=",
};

/**
 * The tracking page of a parcel: of the named carrier, otherwise of the one that the number's format belongs to. Null if
 * neither is known.
 */
export function trackingUrl(carrier: string, trackingNumber: string): string | null {
  const number = trackingNumber.replaceAll(" ", "");
  const name = carrier.trim().toLowerCase();
  const namedCarrier = carriers.find((carrier) => carrier.toLowerCase() === name);
  const knownCarrier = namedCarrier ?? (number && recognizeCarrier(number));
  return knownCarrier && number ? trackingPages[knownCarrier] + encodeURIComponent(number) : null;
}

/** Normalized for comparison: without spaces and dashes, in capitals. */
export function compactTracking(trackingNumber: string): string {
  return trackingNumber.replace(/[\s-]/g, "").toUpperCase();
}

/**
 * A warning that a number does not have the carrier's format; null if it has. The number is accepted anyway, since carriers use
 * more formats than they publish.
 */
export function trackingWarning(carrier: string, trackingNumber: string): string | null {
  const knownCarrier = carriers.find((name) => name.toLowerCase() === carrier.trim().toLowerCase());
  if (knownCarrier === undefined || compactTracking(trackingNumber) === "") return null;
  const recognizedCarrier = recognizeCarrier(trackingNumber);
  if (recognizedCarrier === knownCarrier) return null;
  return recognizedCarrier === null
    ? `This does not look like a number of ${knownCarrier}. Check it for a typing error.`
    : `This looks like a number of ${recognizedCarrier}, not of ${knownCarrier}.`;
}

/** The carrier of a tracking number, by published format and check digit; null if it is not certain. */
export function recognizeCarrier(trackingNumber: string): Carrier | null {
  const number = compactTracking(trackingNumber);
  const postal = postalCarrier(number);
  if (postal) return postal;
  return (
    formats.find(({ pattern, hasValidCheckDigit }) => pattern.test(number) && hasValidCheckDigit(number))
      ?.carrier ?? null
  );
}

/** The first match counts, so narrower formats come before wider ones. */
const formats: { carrier: Carrier; pattern: RegExp; hasValidCheckDigit(number: string): boolean }[] = [
  {
    carrier: "UPS",
    pattern: /^1Z[0-9A-Z]{16}$/,
    hasValidCheckDigit: (number) => hasUpsCheckDigit(number.slice(2)),
  },
  { carrier: "FedEx", pattern: /^96\d{20}$/, hasValidCheckDigit: (number) => isMod10(number.slice(7)) },
  {
    carrier: "FedEx",
    pattern: /^(100|96)\d{31,32}$/,
    hasValidCheckDigit: (number) => hasFedexCheckDigit(number.slice(-14)),
  },
  // USPS delivers these parcels. The number is that of USPS without its service code, 92.
  {
    carrier: "FedEx",
    pattern: /^(92)?6129\d{16}$/,
    hasValidCheckDigit: (number) => isMod10(`92${number.replace(/^92/, "")}`),
  },
  {
    carrier: "USPS",
    pattern: /^(420\d{5}(\d{4})?)?9[1-5]\d{20}$/,
    hasValidCheckDigit: (number) => isMod10(number.slice(-22)),
  },
  { carrier: "USPS", pattern: /^9[1-5]\d{24}$/, hasValidCheckDigit: isMod10 },
  {
    carrier: "USPS",
    pattern: /^(03|23|7[0-9]|81)\d{18}$/,
    hasValidCheckDigit: (number) => isMod10(number) || isMod10(`91${number}`),
  },
  { carrier: "Canada Post", pattern: /^\d{16}$/, hasValidCheckDigit: isMod10 },
  { carrier: "FedEx", pattern: /^\d{15}$/, hasValidCheckDigit: isMod10 },
  { carrier: "FedEx", pattern: /^\d{12}$/, hasValidCheckDigit: hasFedexCheckDigit },
  {
    carrier: "DHL",
    pattern: /^\d{10,11}$/,
    hasValidCheckDigit: (number) => Number(number.slice(0, -1)) % 7 === Number(number.at(-1)),
  },
  { carrier: "DHL", pattern: /^(J[A-Z]{2,3}\d{9,20}|GM\d{10,39})$/, hasValidCheckDigit: () => true },
  // The German parcel service: a serial shipping container code.
  { carrier: "DHL", pattern: /^00340\d{15}$/, hasValidCheckDigit: isMod10 },
];

/** The Universal Postal Union's format for international parcels: two letters, nine digits, the country of origin. */
function postalCarrier(number: string): Carrier | null {
  const [, digits, country] = /^[A-Z]{2}(\d{9})(US|GB|CA)$/.exec(number) ?? [];
  if (digits === undefined) return null;
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const remainder = 11 - (sum % 11);
  const check = remainder === 10 ? 0 : remainder === 11 ? 5 : remainder;
  if (check !== Number(digits[8])) return null;
  return country === "US" ? "USPS" : country === "GB" ? "Royal Mail" : "Canada Post";
}

/** Check digit, modulo 10: from the right, digits before the last are weighted 3, 1, 3, 1, ... */
function isMod10(number: string): boolean {
  const digits = [...number].reverse().map(Number);
  return digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 1 ? 3 : 1), 0) % 10 === 0;
}

/** Check digit of 12 or 14 digits: from the right, the digits before it are weighted 1, 3, 7, 1, 3, 7, ...; modulo 11, then 10. */
function hasFedexCheckDigit(number: string): boolean {
  const [check, ...digits] = [...number].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * ([1, 3, 7][index % 3] ?? 0), 0);
  return (sum % 11) % 10 === check;
}

/** 15 digits and letters, every second one doubled, and a check digit that makes the sum a multiple of ten. */
function hasUpsCheckDigit(number: string): boolean {
  const values = [...number].map((character) =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10,
  );
  const check = values.pop() ?? 0;
  return (
    (values.reduce((sum, value, index) => sum + value * (index % 2 === 1 ? 2 : 1), 0) + check) % 10 === 0
  );
}
