import type * as v from "valibot";
import type { TaxPolicy } from "../checkout/tax.ts";
import type { settingsForms } from "./settings-schema.ts";

export type SettingsGroup = keyof typeof settingsForms;
type EnteredSettings = { [Group in SettingsGroup]: v.InferOutput<(typeof settingsForms)[Group]> };
/** `tax.rates` have the names of taxes included in prices, added according to `taxIncludedIn`. */
export type AllSettings = Omit<EnteredSettings, "tax"> & { tax: TaxPolicy };

/** Settings that only the owner sees. */
export type OwnerSettings = Pick<
  AllSettings,
  | "notifications"
  | "lowStockAt"
  | "sms"
  | "welcomeCode"
  | "invoices"
  | "confirmAboveCents"
  | "addressQuestionsPerDay"
  | "labels"
  | "timeZone"
>;
/** Settings of pages and checkout; all of them are public. */
export type ShopSettings = Omit<AllSettings, keyof OwnerSettings>;

/** A certificate such as "Fair Trade". `link`: where it can be verified. */
export type Certificate = AllSettings["certificates"][number];
/** An uploaded picture, with the sides of its original in pixels. */
export type FounderPicture = NonNullable<AllSettings["founderPicture"]>;
/** Alerts that the owner can switch off. */
export type OwnerAlert = keyof AllSettings["notifications"]["email"];

export const badgeKeys = ["fairTrade", "sustainable"] as const;
export type BadgeKey = (typeof badgeKeys)[number];

export const walletPlaces = ["product", "cart", "checkout"] as const;
export type WalletPlace = (typeof walletPlaces)[number];

/** When each group was last changed, ISO 8601 UTC; null while it has its default. */
export type SettingsRevisions = Record<SettingsGroup, string | null>;

/** Any part of the settings; lists are replaced. */
export type SettingsPart = { [Group in SettingsGroup]?: PartOf<AllSettings[Group]> | undefined };
type PartOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: PartOf<T[Key]> | undefined }
    : T;

export const settingsGroupNames: Record<SettingsGroup, string> = {
  brandName: "Brand name",
  currencyDisplay: "Currency display",
  pausedText: "Pause new orders",
  shipping: "Shipping",
  tax: "Tax",
  taxIncludedIn: "Prices with tax",
  calendar: "Working days",
  returns: "Returns",
  returnShipping: "Return postage",
  contact: "Contact details",
  seller: "Seller",
  invoices: "Invoices",
  social: "Social links",
  givingPercent: "Donated share",
  reviews: "Review rules",
  wallets: "Wallets",
  newsletter: "Newsletter",
  refillReminderWeeks: "Refill reminder",
  welcomeCode: "Welcome code",
  notifications: "Emails to the owner",
  lowStockAt: "Stock warning",
  sms: "Text alerts",
  badges: "Badges",
  founder: "Founder",
  founderPicture: "Founder’s photograph",
  certificates: "Certificates",
  confirmAboveCents: "Large refunds",
  addressQuestionsPerDay: "Suggested addresses",
  labels: "Labels",
  timeZone: "Time zone",
};
