import type { TaxPolicy } from "../checkout/tax.ts";
import type { ShopCalendar } from "../shipping/arrival.ts";
import type { ShippingPolicy } from "../shipping/shipping-policy.ts";

/** The settings that pages and checkout work from; shoppers may know them all. */
export type ShopSettings = {
  brandName: string;
  /** `symbol_and_code`: totals say "$35.90 USD" instead of "$35.90". */
  currencyDisplay: "symbol" | "symbol_and_code";
  shipping: ShippingPolicy;
  /** When parcels are packed, in the shop's time zone. */
  calendar: ShopCalendar;
  tax: TaxPolicy;
  /** Codes of the countries whose prices include the tax. */
  taxIncludedIn: string[];
  returns: { days: number; minimumRemainingPercent: number };
  /** Who pays the postage of a return; null: the shop does not say. */
  returnShipping: "shop" | "buyer" | null;
  contact: { email: string | null; phone: string | null; location: string | null };
  /** Who sells, by law: name of the business, and its postal address, in lines. In e-mails and on receipts. */
  seller: {
    legalName: string | null;
    address: string | null;
    /** For invoices: tax number, and what a register calls it ("HRB 12345 Berlin"). */
    vatId: string | null;
    registration: string | null;
  };
  social: { instagram: string | null; facebook: string | null; tiktok: string | null; x: string | null };
  givingPercent: number;
  /** Whether shoppers can sign up for one. */
  newsletter: boolean;
  /** Weeks from delivery to the e-mail that a buyer may ask for; 0: nobody is asked. */
  refillReminderWeeks: number;
  reviews: {
    /** `hold`: a new review waits for the owner's approval. */
    publish: "at_once" | "hold";
    /** Days after which a buyer is asked for a review. */
    requestAfterDeliveredDays: number;
    requestAfterShippedDays: number;
  };
  /** Where Apple Pay and the like are offered. */
  wallets: Record<WalletPlace, boolean>;
  /** What the shop says of itself. A certificate of the same name proves it. */
  badges: Record<BadgeKey, Badge>;
  /** Who stands beside the founder picture, and what is said of it. */
  founder: { name: string | null; caption: string | null };
  /** The owner's own; null: the place where the oil is made is shown. */
  founderPicture: FounderPicture | null;
  /** What somebody else vouches for, each with its number, its address on the web, or both. */
  certificates: Certificate[];
};

/** "Fair Trade". `link`: where it can be checked. */
export type Certificate = { name: string; number: string | null; link: string | null };

export const badgeKeys = ["fairTrade", "sustainable"] as const;
export type BadgeKey = (typeof badgeKeys)[number];
/** `means`: a sentence on what is meant by it. */
export type Badge = { isShown: boolean; means: string };

/** An uploaded picture, with the sides of its original in pixels. */
export type FounderPicture = { file: string; width: number; height: number };

export const walletPlaces = ["product", "cart", "checkout"] as const;
export type WalletPlace = (typeof walletPlaces)[number];

/** Of what the owner is told by e-mail. */
export type OwnerAlert = "order" | "message" | "review" | "lowStock" | "attention";

/** The settings that are the owner's alone. */
export type OwnerSettings = {
  notifications: { email: Record<OwnerAlert, boolean> };
  /** Units free to sell at or under which the owner is told; 0: never. */
  lowStockAt: number;
  /** Where text alerts go; null: nowhere. Ten digits. `carrier` is kept for the record alone. */
  sms: { phoneNumber: string | null; carrier: string };
  /** The discount code that new subscribers are given; null: none. */
  welcomeCode: string | null;
  /** When invoices are issued, once the seller's name and address are set, and what stands at their foot. */
  invoices: { issue: "at_payment" | "on_request"; note: string | null };
  /** Giving back more than so many cents asks for passkey or access code again; null: nothing does. */
  confirmAboveCents: number | null;
  /** Questions a day to the paid service that suggests addresses; 0: none, and nothing is suggested. */
  addressQuestionsPerDay: number;
  /** IANA name: where the owner's days begin and end, in the overview and in exports. */
  timeZone: string;
};

export type AllSettings = ShopSettings & OwnerSettings;
export type SettingsGroup = keyof AllSettings;

/** When each group was last changed, ISO 8601 UTC; null: never, its default holds. */
export type SettingsRevisions = Record<SettingsGroup, string | null>;

/** Any part of the settings; lists are given whole. */
export type SettingsPart = { [Group in SettingsGroup]?: PartOf<AllSettings[Group]> | undefined };
type PartOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: PartOf<T[Key]> | undefined }
    : T;

/** What each group is called. */
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
  givingPercent: "Giving share",
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
  timeZone: "Time zone",
};
