import * as v from "valibot";
import { addressLines } from "../address/address-format.ts";
import type { ShopSettings } from "../settings/settings.ts";
import { requiredLine } from "../shared/required-text.ts";
import { strictForm } from "../shared/strict-form.ts";

const line = (max: number) =>
  v.nullable(v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`)));
const inches = v.pipe(
  v.number("Must be a number of inches"),
  v.minValue(0.1, "At least 0.1 inches"),
  v.maxValue(100, "At most 100 inches"),
);
const grams = v.pipe(
  v.number("Must be a number of grams"),
  v.integer("Must be whole grams"),
  v.minValue(0, "At least 0 grams"),
  v.maxValue(50_000, "At most 50,000 grams"),
);
const services = v.pipe(
  v.array(
    v.pipe(v.string("Must be text"), v.trim(), v.maxLength(80, "At most 80 characters")),
    "Must be a list",
  ),
  v.maxLength(50, "At most 50 services"),
);

const paperSizes = ["4x6", "letter", "a4"] as const;
const shippedWhenChoices = ["bought", "printed", "scanned"] as const;

/** How labels are bought and printed. Only the owner and the staff see it. */
export const labelSettingsSchema = strictForm({
  sender: strictForm({
    name: requiredLine(60, "Say who sends the parcels"),
    phone: line(40),
    line1: requiredLine(100, "Enter the street"),
    line2: line(100),
    city: requiredLine(60, "Enter the city"),
    state: v.pipe(v.string("Must be text"), v.trim(), v.maxLength(40, "At most 40 characters")),
    postalCode: requiredLine(20, "Enter the postal code"),
    country: v.pipe(v.string("Must be text"), v.regex(/^[A-Z]{2}$/, "Must be a two-letter country code")),
  }),
  /** The first one is preselected. */
  parcels: v.pipe(
    v.array(
      strictForm({
        id: v.pipe(
          v.string("Must be text"),
          v.regex(/^[a-z0-9-]{1,40}$/, "Use lowercase letters, digits and hyphens"),
        ),
        name: requiredLine(40, "Give the parcel a name"),
        length: inches,
        width: inches,
        height: inches,
        /** Weight of the empty parcel. */
        weightGrams: grams,
      }),
      "Must be a list",
    ),
    v.minLength(1, "Add at least one parcel"),
    v.maxLength(10, "At most 10 parcels"),
  ),
  /** Weight of a unit whose product has none. */
  unitGrams: grams,
  /** Carriers’ services for orders of each speed; all of them if empty. */
  services: strictForm({ standard: services, expedited: services }),
  paper: v.picklist(paperSizes, "One of 4x6, letter, a4"),
  /** When an order with a label counts as shipped. */
  shippedWhen: v.picklist(shippedWhenChoices, "One of bought, printed, scanned"),
});
export type LabelSettings = v.InferOutput<typeof labelSettingsSchema>;
export type LabelParcel = LabelSettings["parcels"][number];

export const defaultLabelSettings: LabelSettings = {
  sender: {
    name: "Sample sender",
    phone: null,
    line1: "1 Sample Street",
    line2: null,
    city: "Austin",
    state: "TX",
    postalCode: "78701",
    country: "US",
  },
  parcels: [{ id: "box", name: "Sample box", length: 6, width: 4, height: 4, weightGrams: 60 }],
  unitGrams: 150,
  services: { standard: [], expedited: [] },
  paper: "4x6",
  shippedWhen: "bought",
};

/** Whether the sender is still the sample, with which only test labels are bought. */
export function isSampleSender({ line1, city }: LabelSettings["sender"]): boolean {
  const sample = defaultLabelSettings.sender;
  return line1 === sample.line1 && city === sample.city;
}

/**
 * Lines of the address to which undeliverable parcels go back: the sender's, or the seller's while the sender is the sample. Empty
 * if the shop has no address.
 */
export function returnAddress(
  { brandName, seller, contact }: Pick<ShopSettings, "brandName" | "seller" | "contact">,
  { sender }: Pick<LabelSettings, "sender">,
): string[] {
  if (!isSampleSender(sender))
    return addressLines({ customerName: sender.name, shipping: sender, shippingAddress: "" });
  const address = seller.address ?? contact.location;
  return address ? [seller.legalName ?? brandName, ...address.split("\n")] : [];
}

export function isSampleParcel({ name }: LabelParcel): boolean {
  return name === defaultLabelSettings.parcels[0]?.name;
}
