import type { TaxPolicy } from "../checkout/tax.ts";
import type { LabelSettings } from "../labels/label-settings.ts";
import type { ShopCalendar } from "../shipping/arrival.ts";
import type { ShippingPolicy } from "../shipping/shipping-policy.ts";

/** Settings of pages and checkout; all of them are public. */
export type ShopSettings = {
  brandName: string;
  /** `symbol_and_code`: totals read "$35.90 USD" instead of "$35.90". */
  currencyDisplay: "symbol" | "symbol_and_code";
  shipping: ShippingPolicy;
  /** Working days, in the shop's time zone. */
  calendar: ShopCalendar;
  tax: TaxPolicy;
  /** Codes of the countries whose prices include the tax. */
  taxIncludedIn: string[];
  returns: { days: number; minimumRemainingPercent: number };
  /** Payer of a return's postage; null: not stated. */
  returnShipping: "shop" | "buyer" | null;
  contact: { email: string | null; phone: string | null; location: string | null };
  /** The legal seller: name of the business and postal address, in lines. For e-mails and receipts. */
  seller: {
    legalName: string | null;
    address: string | null;
    /** For invoices: tax number and register entry ("HRB 12345 Berlin"). */
    vatId: string | null;
    registration: string | null;
  };
  social: { instagram: string | null; facebook: string | null; tiktok: string | null; x: string | null };
  givingPercent: number;
  /** Whether shoppers can sign up. */
  newsletter: boolean;
  /** Weeks from delivery to the refill reminder; 0: it is not offered. */
  refillReminderWeeks: number;
  reviews: {
    /** `hold`: new reviews need the owner's approval. */
    publish: "at_once" | "hold";
    /** Days from delivery to the review request. */
    requestAfterDeliveredDays: number;
    requestAfterShippedDays: number;
  };
  /** Pages that offer Apple Pay and other wallets. */
  wallets: Record<WalletPlace, boolean>;
  /** Claims that the shop makes itself. A certificate with the same name is shown as proof. */
  badges: Record<BadgeKey, Badge>;
  /** Name and caption beside the founder picture. */
  founder: { name: string | null; caption: string | null };
  /** Founder picture uploaded by the owner; null: the default picture of the production site. */
  founderPicture: FounderPicture | null;
  /** Certifications by third parties, each with its number, its web address, or both. */
  certificates: Certificate[];
};

/** "Fair Trade". `link`: where it can be verified. */
export type Certificate = { name: string; number: string | null; link: string | null };

export const badgeKeys = ["fairTrade", "sustainable"] as const;
export type BadgeKey = (typeof badgeKeys)[number];
/** `means`: a sentence that explains the badge. */
export type Badge = { isShown: boolean; means: string };

/** An uploaded picture, with the sides of its original in pixels. */
export type FounderPicture = { file: string; width: number; height: number };

export const walletPlaces = ["product", "cart", "checkout"] as const;
export type WalletPlace = (typeof walletPlaces)[number];

/** Alerts that the owner can switch off. */
export type OwnerAlert = "order" | "message" | "review" | "lowStock" | "attention";

/** Settings that only the owner sees. */
export type OwnerSettings = {
  notifications: { email: Record<OwnerAlert, boolean> };
  /** Alerts the owner at this number of available units; 0: never. */
  lowStockAt: number;
  /** Recipient of text alerts; null: none. Ten digits. `carrier` is stored but unused. */
  sms: { phoneNumber: string | null; carrier: string };
  /** The discount code for new subscribers; null: none. */
  welcomeCode: string | null;
  /** When invoices are issued, once the seller's name and address are set, and their footer. */
  invoices: { issue: "at_payment" | "on_request"; note: string | null };
  /** Refunds above this amount must be confirmed by passkey or access code; null: none must. */
  confirmAboveCents: number | null;
  /** Daily limit of requests to the paid service that suggests addresses; 0: no suggestions. */
  addressQuestionsPerDay: number;
  /** Sender, parcels and printing of labels that carriers sell. */
  labels: LabelSettings;
  /** IANA name: determines the owner's days in the overview and in exports. */
  timeZone: string;
};

export type AllSettings = ShopSettings & OwnerSettings;
export type SettingsGroup = keyof AllSettings;

/** When each group was last changed, ISO 8601 UTC; null: never, it has its default. */
export type SettingsRevisions = Record<SettingsGroup, string | null>;

/** Any part of the settings; lists are replaced. */
export type SettingsPart = { [Group in SettingsGroup]?: PartOf<AllSettings[Group]> | undefined };
type PartOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: PartOf<T[Key]> | undefined }
    : T;

/** Titles of the groups. */
export const settingsGroupNames: Record<SettingsGroup, string> = {
  brandName: "Brand name",
  currencyDisplay: "Currency display",
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
