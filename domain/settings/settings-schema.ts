import * as v from "valibot";
import { noTax } from "../checkout/tax.ts";
import { taxPolicySchema } from "../checkout/tax-schema.ts";
import { strictForm } from "../shared/strict-form.ts";
import { defaultShippingPolicy } from "../shipping/shipping-policy.ts";
import { daysSchema, shippingPolicySchema } from "../shipping/shipping-policy-schema.ts";
import type { AllSettings, SettingsGroup } from "./settings.ts";

// The form of each settings group, for the server and for the panel's own tab. What a form cannot say, because it
// concerns several fields or the world outside, is in settings-problems.ts.

const text = (max: number) =>
  v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`));

const percent = v.pipe(
  v.number("Must be a number"),
  v.minValue(0, "At least 0%"),
  v.maxValue(100, "At most 100%"),
);

const address = v.nullable(v.pipe(text(300), v.url("Must be a whole address, with https://")));
const yesOrNo = v.boolean("Must be true or false");

const returns = strictForm({ days: daysSchema, minimumRemainingPercent: percent });
const contact = strictForm({
  email: v.nullable(v.pipe(text(254), v.email("Must be an email address"))),
  phone: v.nullable(text(40)),
  location: v.nullable(text(200)),
});
const social = strictForm({ instagram: address, facebook: address, tiktok: address, x: address });
const reviews = strictForm({
  publish: v.picklist(["at_once", "hold"], "One of at_once, hold"),
  requestAfterDeliveredDays: daysSchema,
  requestAfterShippedDays: daysSchema,
});
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
  currencyDisplay: v.picklist(["symbol", "symbol_and_code"], "One of symbol, symbol_and_code"),
  shipping: shippingPolicySchema,
  tax: taxPolicySchema,
  returns,
  returnShipping: v.nullable(v.picklist(["shop", "buyer"], "One of shop, buyer, or null")),
  contact,
  social,
  givingPercent: v.pipe(
    percent,
    v.check((value) => Number(value.toFixed(2)) === value, "At most two decimals"),
  ),
  reviews,
  wallets,
  notifications: strictForm({ email: ownerEmails }),
  lowStockAt: v.pipe(
    v.number("Must be a number of units"),
    v.integer("Must be a whole number of units"),
    v.minValue(0, "At least 0 units"),
    v.maxValue(1_000_000, "At most 1,000,000 units"),
  ),
  sms: strictForm({
    phoneNumber: v.nullable(v.pipe(v.string(), v.regex(/^\d{10}$/, "Enter exactly 10 digits"))),
    carrier: text(40),
  }),
  timeZone: v.pipe(v.string("Must be text"), v.check(isTimeZone, "There is no such time zone")),
};

/** What holds until the owner says otherwise. */
export const defaultSettings: AllSettings = {
  brandName: "Palmira",
  currencyDisplay: "symbol",
  shipping: defaultShippingPolicy,
  tax: noTax,
  returns: { days: 30, minimumRemainingPercent: 75 },
  returnShipping: null,
  contact: { email: null, phone: null, location: null },
  social: { instagram: null, facebook: null, tiktok: null, x: null },
  givingPercent: 20,
  reviews: { publish: "at_once", requestAfterDeliveredDays: 10, requestAfterShippedDays: 14 },
  wallets: { product: true, cart: true, checkout: true },
  notifications: { email: { order: true, message: true, review: true, lowStock: true, attention: true } },
  lowStockAt: 10,
  sms: { phoneNumber: null, carrier: "att" },
  timeZone: "UTC",
};

const { sms: _, ...shownForms } = settingsForms;
const groups = Object.keys(settingsForms) as [SettingsGroup, ...SettingsGroup[]];

/** What the owner's settings tab is given. Text alerts are set elsewhere. */
export const adminSettingsSchema = v.object({
  ...shownForms,
  /** When each group was last changed, ISO 8601 UTC; null: never, its default holds. */
  revisions: v.object(v.entriesFromList(groups, v.nullable(v.string()))),
  /** Groups whose stored value cannot be read: their defaults hold until they are saved again. */
  unreadable: v.exactOptional(v.array(v.picklist(groups))),
});
export type AdminSettings = v.InferOutput<typeof adminSettingsSchema>;

/**
 * Any part of the settings, as `PATCH /api/admin/settings` takes it: any groups, and of a group any fields; lists are
 * taken whole. `sms` has calls of its own.
 */
export const settingsPartSchema = strictForm({
  brandName: v.optional(settingsForms.brandName),
  currencyDisplay: v.optional(settingsForms.currencyDisplay),
  shipping: v.optional(shippingPolicySchema),
  tax: v.optional(v.partial(taxPolicySchema)),
  returns: v.optional(v.partial(returns)),
  returnShipping: v.optional(settingsForms.returnShipping),
  contact: v.optional(v.partial(contact)),
  social: v.optional(v.partial(social)),
  givingPercent: v.optional(settingsForms.givingPercent),
  reviews: v.optional(v.partial(reviews)),
  wallets: v.optional(v.partial(wallets)),
  notifications: v.optional(strictForm({ email: v.optional(v.partial(ownerEmails)) })),
  lowStockAt: v.optional(settingsForms.lowStockAt),
  timeZone: v.optional(settingsForms.timeZone),
  /** When each group was last changed, as `GET` gave it: a group changed since is not overwritten. */
  revisions: v.optional(v.record(v.string(), v.nullable(v.string("Must be a time")), "Must be an object")),
});

/** Also by an older or newer name than the one that `Intl.supportedValuesOf` lists; no mere offsets. */
function isTimeZone(name: string): boolean {
  if (name === "UTC") return true;
  try {
    return name.includes("/") && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
