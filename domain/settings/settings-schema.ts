import * as v from "valibot";
import { noTax } from "../checkout/tax.ts";
import { taxPolicySchema } from "../checkout/tax-schema.ts";
import { defaultLabelSettings, labelSettingsSchema } from "../labels/label-settings.ts";
import { wholeNumber } from "../shared/number-fields.ts";
import { strictForm } from "../shared/strict-form.ts";
import { isDate } from "../shared/zoned-days.ts";
import { defaultShippingPolicy } from "../shipping/shipping-policy.ts";
import { daysSchema, shippingPolicySchema } from "../shipping/shipping-policy-schema.ts";
import type { AllSettings, SettingsGroup } from "./settings.ts";

// Schemas of the settings groups, for the server and the panel. Rules about several fields or the outside world are in
// settings-problems.ts.

const text = (max: number) =>
  v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`));

const percent = v.pipe(
  v.number("Must be a number"),
  v.minValue(0, "At least 0%"),
  v.maxValue(100, "At most 100%"),
);

const countryCodes = v.pipe(
  v.array(
    v.pipe(v.string("Must be text"), v.length(2, "Must be a two-letter country code")),
    "Must be a list",
  ),
  v.check((codes) => new Set(codes).size === codes.length, "List each country only once"),
);
const webUrl = v.nullable(v.pipe(text(300), v.url("Must be a full web address, with https://")));
const yesOrNo = v.boolean("Must be true or false");

const returns = strictForm({ days: daysSchema, minimumRemainingPercent: percent });
const contact = strictForm({
  email: v.nullable(v.pipe(text(254), v.email("Must be an email address"))),
  phone: v.nullable(text(40)),
  location: v.nullable(text(200)),
});
/** The legal seller, for e-mails and receipts. */
const seller = strictForm({
  legalName: v.nullable(text(120)),
  /** Postal address, in lines. */
  address: v.nullable(
    v.pipe(
      text(300),
      v.transform((lines) => lines.replace(/\r\n?/g, "\n")),
    ),
  ),
  // For invoices; missing in settings stored before invoices existed.
  vatId: v.optional(v.nullable(text(40)), null),
  registration: v.optional(v.nullable(text(120)), null),
});
/** When invoices are issued, once the seller's name and address are set, and their footer. */
const invoices = strictForm({
  issue: v.picklist(["at_payment", "on_request"], "One of at_payment, on_request"),
  note: v.nullable(text(500)),
});
const social = strictForm({ instagram: webUrl, facebook: webUrl, tiktok: webUrl, x: webUrl });
const reviews = strictForm({
  /** `hold`: new reviews need the owner's approval. */
  publish: v.picklist(["at_once", "hold"], "One of at_once, hold"),
  /** Days from delivery to the review request. */
  requestAfterDeliveredDays: daysSchema,
  requestAfterShippedDays: daysSchema,
});
const calendar = strictForm({
  cutOff: v.pipe(
    v.string("Must be a time"),
    v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Must be a time, like 14:00"),
  ),
  workingDays: v.pipe(
    v.array(
      v.pipe(
        v.number("Must be a number"),
        v.integer("1 (Monday) to 7 (Sunday)"),
        v.minValue(1, "1 (Monday) to 7 (Sunday)"),
        v.maxValue(7, "1 (Monday) to 7 (Sunday)"),
      ),
      "Must be a list",
    ),
    v.minLength(1, "Choose at least one day"),
    v.check((days) => new Set(days).size === days.length, "List each day only once"),
  ),
  holidays: v.pipe(
    v.array(v.string("Must be a date"), "Must be a list"),
    v.maxLength(100, "At most 100 dates"),
    v.check((dates) => dates.every(isDate), "Write dates like 2026-12-25, one per line"),
  ),
});
const certificate = v.pipe(
  strictForm({
    name: v.pipe(text(60), v.minLength(1, "Enter its name")),
    number: v.nullable(text(80)),
    link: v.nullable(
      v.pipe(
        text(300),
        v.url("Must be a full web address, with https://"),
        v.startsWith("https://", "Must begin with https://"),
      ),
    ),
  }),
  v.forward(
    v.check(({ number, link }) => Boolean(number || link), "Enter its number, or where it can be checked"),
    ["number"],
  ),
);
const badge = strictForm({
  isShown: yesOrNo,
  means: v.pipe(text(200), v.minLength(1, "Say what you mean by it")),
});
const badges = strictForm({ fairTrade: badge, sustainable: badge });
const founder = strictForm({ name: v.nullable(text(80)), caption: v.nullable(text(200)) });
const pixels = v.pipe(
  v.number("Must be a number"),
  v.integer("Must be whole pixels"),
  v.minValue(1, "At least 1"),
);
const founderPicture = v.nullable(
  strictForm({
    file: v.pipe(v.string("Must be text"), v.regex(/^u-[0-9a-f]{16}\.jpg$/, "Must be an uploaded picture")),
    width: pixels,
    height: pixels,
  }),
);
const wallets = strictForm({ product: yesOrNo, cart: yesOrNo, checkout: yesOrNo });
const ownerEmails = strictForm({
  order: yesOrNo,
  message: yesOrNo,
  review: yesOrNo,
  lowStock: yesOrNo,
  attention: yesOrNo,
});

export const settingsForms = {
  brandName: v.pipe(text(60), v.minLength(1, "Give the shop a name")),
  /** `symbol_and_code`: totals read "$35.90 USD" instead of "$35.90". */
  currencyDisplay: v.picklist(["symbol", "symbol_and_code"], "One of symbol, symbol_and_code"),
  /** Shown on every page while no new orders are accepted; null while they are. */
  pausedText: v.nullable(v.pipe(text(200), v.minLength(1, "Enter the text that shoppers see"))),
  shipping: shippingPolicySchema,
  calendar,
  tax: taxPolicySchema,
  /** Codes of the countries whose prices include the tax. */
  taxIncludedIn: countryCodes,
  returns,
  /** Payer of a return's postage; null if it is not stated. */
  returnShipping: v.nullable(v.picklist(["shop", "buyer"], "One of shop, buyer, or null")),
  contact,
  seller,
  invoices,
  social,
  givingPercent: v.pipe(
    percent,
    v.check((value) => Number(value.toFixed(2)) === value, "At most two decimals"),
  ),
  newsletter: yesOrNo,
  /** Weeks from delivery to the refill reminder; 0 if it is not offered. */
  refillReminderWeeks: v.pipe(
    v.number("Must be a number of weeks"),
    v.integer("Must be a whole number of weeks"),
    v.minValue(0, "At least 0 weeks"),
    v.maxValue(104, "At most 104 weeks"),
  ),
  /** The discount code for new subscribers; null if there is none. */
  welcomeCode: v.nullable(v.pipe(text(40), v.regex(/^[A-Za-z0-9_-]{3,40}$/, "Must be a discount code"))),
  reviews,
  /** Pages that offer Apple Pay and other wallets. */
  wallets,
  /** Claims that the shop makes itself. A certificate with the same name is shown as proof. */
  badges,
  /** Name and caption beside the founder picture. */
  founder,
  /** Uploaded by the owner; null for the picture that the shop comes with. */
  founderPicture,
  /** Certificates by third parties, each with its number, its URL, or both. */
  certificates: v.pipe(v.array(certificate, "Must be a list"), v.maxLength(10, "At most 10 certificates")),
  notifications: strictForm({ email: ownerEmails }),
  /** Alerts the owner at this number of available units; 0 if never. */
  lowStockAt: v.pipe(
    v.number("Must be a number of units"),
    v.integer("Must be a whole number of units"),
    v.minValue(0, "At least 0 units"),
    v.maxValue(1_000_000, "At most 1,000,000 units"),
  ),
  /** Recipient of text alerts. `carrier` is stored but unused. */
  sms: strictForm({
    phoneNumber: v.nullable(v.pipe(v.string(), v.regex(/^\d{10}$/, "Enter exactly 10 digits"))),
    carrier: text(40),
  }),
  /** Refunds above this amount must be confirmed by passkey or access code; null if none has to be. */
  confirmAboveCents: v.nullable(
    v.pipe(
      v.number("Must be an amount"),
      v.integer("Must be whole cents"),
      v.minValue(0, "Must not be below zero"),
      v.maxValue(99_999_999, "At most $999,999.99"),
    ),
  ),
  /** Daily limit of requests to the paid service that suggests addresses; 0 for no suggestions. */
  addressQuestionsPerDay: wholeNumber(0, "At least 0", 1_000_000, "At most 1,000,000"),
  labels: labelSettingsSchema,
  /** IANA name: determines the owner's days in the overview and in exports. */
  timeZone: v.pipe(v.string("Must be text"), v.check(isTimeZone, "There is no such time zone")),
};

export const defaultSettings: AllSettings = {
  brandName: "Palmira",
  currencyDisplay: "symbol",
  pausedText: null,
  shipping: defaultShippingPolicy,
  calendar: { cutOff: "14:00", workingDays: [1, 2, 3, 4, 5], holidays: [] },
  tax: noTax,
  taxIncludedIn: [],
  returns: { days: 30, minimumRemainingPercent: 75 },
  returnShipping: null,
  contact: { email: null, phone: null, location: null },
  seller: { legalName: null, address: null, vatId: null, registration: null },
  invoices: { issue: "at_payment", note: null },
  social: { instagram: null, facebook: null, tiktok: null, x: null },
  givingPercent: 20,
  newsletter: true,
  refillReminderWeeks: 8,
  welcomeCode: null,
  reviews: { publish: "at_once", requestAfterDeliveredDays: 10, requestAfterShippedDays: 14 },
  wallets: { product: true, cart: true, checkout: true },
  badges: {
    fairTrade: {
      isShown: true,
      means: "The people in Honduras who make the oil are paid a fair price for it.",
    },
    sustainable: {
      isShown: true,
      means: "The fruit is gathered from palms that are left standing.",
    },
  },
  founder: { name: null, caption: null },
  founderPicture: null,
  certificates: [],
  notifications: { email: { order: true, message: true, review: true, lowStock: true, attention: true } },
  lowStockAt: 10,
  sms: { phoneNumber: null, carrier: "att" },
  confirmAboveCents: null,
  addressQuestionsPerDay: 1000,
  labels: defaultLabelSettings,
  timeZone: "UTC",
};

const { sms: _, ...shownForms } = settingsForms;
const { founderPicture: __, ...editedForms } = shownForms;
const groups = Object.keys(settingsForms) as [SettingsGroup, ...SettingsGroup[]];

/** Response for the owner's settings pages. Text alerts have a page of their own. */
export const adminSettingsSchema = v.object({
  ...shownForms,
  /** When each group was last changed, ISO 8601 UTC; null while it has its default. */
  revisions: v.object(v.entriesFromList(groups, v.nullable(v.string()))),
  /** Groups whose stored value cannot be parsed: they have their defaults until they are saved again. */
  unreadable: v.exactOptional(v.array(v.picklist(groups))),
});
export type AdminSettings = v.InferOutput<typeof adminSettingsSchema>;

/**
 * Body of `PATCH /api/admin/settings`: any groups, and any fields of each; lists are replaced. `sms` and `founderPicture` have
 * separate calls.
 */
export const settingsPartSchema = strictForm({
  ...v.partial(v.object(editedForms)).entries,
  calendar: v.optional(v.partial(calendar)),
  tax: v.optional(v.partial(taxPolicySchema)),
  returns: v.optional(v.partial(returns)),
  contact: v.optional(v.partial(contact)),
  seller: v.optional(v.partial(seller)),
  invoices: v.optional(v.partial(invoices)),
  social: v.optional(v.partial(social)),
  reviews: v.optional(v.partial(reviews)),
  wallets: v.optional(v.partial(wallets)),
  badges: v.optional(
    strictForm({ fairTrade: v.optional(v.partial(badge)), sustainable: v.optional(v.partial(badge)) }),
  ),
  founder: v.optional(v.partial(founder)),
  notifications: v.optional(strictForm({ email: v.optional(v.partial(ownerEmails)) })),
  labels: v.optional(v.partial(labelSettingsSchema)),
  /** The revisions that `GET` returned, so that a group changed since then is not overwritten. */
  revisions: v.optional(v.record(v.string(), v.nullable(v.string("Must be a time")), "Must be an object")),
});

/** Accepts aliases that `Intl.supportedValuesOf` does not list, but no plain offsets. */
function isTimeZone(name: string): boolean {
  if (name === "UTC") return true;
  try {
    return name.includes("/") && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
