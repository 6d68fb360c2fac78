import * as v from "valibot";
import type { OwnerSettings, ShopSettings } from "../../domain/settings.ts";
import { defaultShippingPolicy } from "../../domain/shipping-policy.ts";
import { shippingPolicySchema } from "../../domain/shipping-policy-schema.ts";
import { noTax, taxPolicySchema } from "../../domain/tax.ts";
import type { Db } from "../platform/database.ts";
import { settings } from "./tables.ts";

const address = v.nullable(v.pipe(v.string(), v.url(), v.maxLength(300)));

const days = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365));

const percent = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(100),
  v.check((value) => Number(value.toFixed(2)) === value, "At most two decimals"),
);

/** Each settings group that shoppers may know: its form and what holds until the owner says otherwise. */
export const shopGroups = {
  brandName: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)), "Palmira"),
  currencyDisplay: v.optional(v.picklist(["symbol", "symbol_and_code"]), "symbol"),
  shipping: v.optional(shippingPolicySchema, defaultShippingPolicy),
  tax: v.optional(taxPolicySchema, noTax),
  returns: v.optional(
    v.object({
      days,
      minimumRemainingPercent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    }),
    { days: 30, minimumRemainingPercent: 75 },
  ),
  contact: v.optional(
    v.object({
      email: v.nullable(v.pipe(v.string(), v.email())),
      phone: v.nullable(v.pipe(v.string(), v.maxLength(40))),
      location: v.nullable(v.pipe(v.string(), v.maxLength(200))),
    }),
    { email: null, phone: null, location: null },
  ),
  social: v.optional(v.object({ instagram: address, facebook: address, tiktok: address, x: address }), {
    instagram: null,
    facebook: null,
    tiktok: null,
    x: null,
  }),
  givingPercent: v.optional(percent, 20),
  reviews: v.optional(
    v.object({
      publish: v.picklist(["at_once", "hold"]),
      requestAfterDeliveredDays: days,
      requestAfterShippedDays: days,
    }),
    { publish: "at_once", requestAfterDeliveredDays: 10, requestAfterShippedDays: 14 },
  ),
};
const toldByEmail = v.boolean("true or false");

/** The same for what is the owner's alone. */
export const ownerGroups = {
  notifications: v.optional(
    v.object({
      email: v.object({
        order: toldByEmail,
        message: toldByEmail,
        review: toldByEmail,
        lowStock: toldByEmail,
        attention: toldByEmail,
      }),
    }),
    { email: { order: true, message: true, review: true, lowStock: true, attention: true } },
  ),
  lowStockAt: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 10),
  sms: v.optional(
    v.object({
      phoneNumber: v.nullable(v.pipe(v.string(), v.regex(/^\d{10}$/, "Enter exactly 10 digits"))),
      carrier: v.pipe(v.string(), v.maxLength(40)),
    }),
    { phoneNumber: null, carrier: "att" },
  ),
  timeZone: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (zone) => Intl.supportedValuesOf("timeZone").includes(zone) || zone === "UTC",
        "Not a time zone",
      ),
    ),
    "UTC",
  ),
};

const shopSchema = v.object(shopGroups);
const ownerSchema = v.object(ownerGroups);

/** All settings, defaults filled in. A row that no longer parses throws: guessing shipping prices would be worse. */
export async function readSettings(db: Db): Promise<{ shop: ShopSettings; owner: OwnerSettings }> {
  const rows = await db.select({ key: settings.key, value: settings.value }).from(settings);
  const values = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  return { shop: v.parse(shopSchema, values), owner: v.parse(ownerSchema, values) };
}
