import * as v from "valibot";
import { countries } from "../shared/country.ts";
import { oneLine } from "../shared/required-text.ts";
import { hasUserInfo } from "../shared/url-user-info.ts";
import { familySchema, productSchema, sizeSchema } from "./product.ts";
import { productImageSchema } from "./product-picture.ts";

/** Maximum length or number of entries of each field. The database has the same limits. */
export const productLimits = {
  name: 120,
  slug: 80,
  shortDescription: 300,
  description: 5000,
  size: 60,
  mpn: 70,
  sku: 64,
  weightGrams: 100_000,
  scent: 160,
  lasts: 160,
  videoUrl: 500,
  benefits: 12,
  benefit: 200,
  usage: 5000,
  /** Cents. */
  price: 99_999_999,
  stock: 1_000_000,
  images: 20,
  alt: 300,
} as const;

/** A picture in the panel. `width` and `height` are those of its JPEG. */
export const adminImageSchema = v.object({
  ...productImageSchema.entries,
  id: v.number(),
  /** A drawing delivered with the program, to be replaced by a photograph. */
  isDrawn: v.boolean(),
  /** Index in the gallery; the first picture is the thumbnail. */
  position: v.number(),
  /** Shoppers see `ready` pictures only. */
  status: v.picklist(["processing", "ready", "failed"]),
  /** Why it is `failed`. */
  problem: v.nullable(v.string()),
});
export type AdminProductImage = v.InferOutput<typeof adminImageSchema>;

const adminFamilySchema = v.object({
  ...familySchema.entries,
  sizes: v.array(
    v.object({
      ...sizeSchema.entries,
      published: v.boolean(),
      archived: v.boolean(),
      /** Available for sale. */
      stock: v.number(),
    }),
  ),
});

/** A product in the panel, published or not. */
export const adminProductSchema = v.object({
  ...productSchema.entries,
  images: v.array(adminImageSchema),
  published: v.boolean(),
  /** Includes unpublished sizes; null if it has no sizes. */
  family: v.nullable(adminFamilySchema),
  /** As entered, whether above the price or not. */
  compareAtPrice: v.nullable(v.number()),
  weightGrams: v.nullable(v.number()),
  /** For customs forms of parcels to other countries: digits of the HS code, and the code of the country where it was made. */
  hsCode: v.nullable(v.string()),
  originCountry: v.nullable(v.string()),
  /** Cost of one unit to the shop, in cents. */
  cost: v.nullable(v.number()),
  /** Archived products are unpublished and listed separately; null if it is not archived. */
  archivedAt: v.nullable(v.string()),
  /** Incremented with each change of texts and price. A save can name the revision it is based on. */
  revision: v.number(),
  /** Available for sale: `onHand` less `reserved`. */
  stock: v.number(),
  onHand: v.number(),
  /** Shoppers with a stock alert for it. */
  waiting: v.number(),
  reserved: v.number(),
  /** Former slugs, which redirect to the current one. */
  formerSlugs: v.array(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type AdminProduct = v.InferOutput<typeof adminProductSchema>;

/** The owner's texts of a product, without price and stock. */
export const productTextFields = [
  "name",
  "slug",
  "size",
  "gtin",
  "mpn",
  "scent",
  "lasts",
  "videoUrl",
  "shortDescription",
  "description",
  "benefits",
  "usage",
  "isBestseller",
  "isNew",
  "published",
] as const;
export type ProductTexts = Pick<AdminProduct, (typeof productTextFields)[number]>;

/** Fields for stock keeping and margins. */
const stockKeepingFields = [
  "sku",
  "weightGrams",
  "hsCode",
  "originCountry",
  "cost",
  "compareAtPrice",
] as const;
export type StockKeeping = Pick<AdminProduct, (typeof stockKeepingFields)[number]>;

/** Margin in cents and in whole percent of the price; null if unknown. */
export function profitMargin(price: number, cost: number | null): { cents: number; percent: number } | null {
  if (cost === null || Number.isNaN(cost) || !(price > 0)) return null;
  return { cents: price - cost, percent: Math.round(((price - cost) * 100) / price) };
}

/** Parts that the product's page still lacks, for the owner. */
export function missingPageParts(
  product: Pick<AdminProduct, "shortDescription" | "description" | "size"> & {
    images: readonly Pick<AdminProductImage, "status">[];
  },
): string[] {
  const hasPicture = product.images.some(({ status }) => status !== "failed");
  return [
    ...(hasPicture ? [] : ["a picture"]),
    ...(product.shortDescription === "" ? ["a short description"] : []),
    ...(product.description === "" ? ["a description"] : []),
    ...(product.size === "" ? ["a size"] : []),
  ];
}

/** A warning about an unusual new price, for the owner; null if there is none. Both in cents. */
export function priceConcern(before: number, after: number): string | null {
  if (after === before) return null;
  if (after === 0) return "Whoever orders it pays nothing for it. Shipping and tax are charged as usual.";
  if (Math.abs(after - before) * 2 <= before) return null;
  if (before === 0) return "It costs nothing so far.";
  return after > before
    ? "That raises it by more than half of what it costs now."
    : "That is less than half of what it costs now.";
}

/** `Café Balm & Oil` -> `cafe-balm-oil`; "" if the name has no letters or digits. */
export function slugFrom(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, productLimits.slug)
    .replace(/^-+|-+$/g, "");
}

const text = (max: number) =>
  v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`));
const lines = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.transform((text) => text.replaceAll("\r\n", "\n").trim()),
    v.maxLength(max, `At most ${max} characters`),
  );
const yesOrNo = v.boolean("Must be true or false");
const wholeNumber = (max: number) =>
  v.pipe(
    v.number("Must be a whole number"),
    v.integer("Must be a whole number"),
    v.minValue(0, "Must be 0 or more"),
    v.maxValue(max, `At most ${max}`),
  );

const textOrNone = (max: number) =>
  v.nullable(
    v.pipe(
      text(max),
      v.transform((text) => text || null),
    ),
  );

/** Only URLs of files count, since pages of video sites cannot be played. */
function isVideoUrl(url: string): boolean {
  return URL.canParse(url) && !hasUserInfo(url) && /^https:\/\/[^?#]+\.mp4([?#]|$)/i.test(url);
}

/** 8, 12, 13 or 14 digits, the last of which is GS1's check digit. */
function isGtin(digits: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

const name = v.pipe(text(productLimits.name), v.minLength(1, "Enter a name"), oneLine);
/** A price in cents; `tooSmall` is the message for a price below `min`. */
export const priceFrom = (min: number, tooSmall = `Must be ${min} or more`) =>
  v.pipe(
    v.number("Must be a whole number of cents"),
    v.integer("Must be a whole number of cents"),
    v.minValue(min, tooSmall),
    v.maxValue(productLimits.price, `At most ${productLimits.price} cents`),
  );
const price = priceFrom(0);
const alt = v.pipe(
  v.string("Say what is in the picture"),
  v.trim(),
  v.minLength(1, "Say what is in the picture"),
  v.maxLength(productLimits.alt, `At most ${productLimits.alt} characters`),
);

/** The revision that the save is based on, so that a newer one saved by somebody else is not overwritten. */
const revision = v.optional(wholeNumber(2_147_483_647));

const fields = {
  name: v.optional(name),
  slug: v.optional(
    v.pipe(
      text(productLimits.slug),
      v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Lowercase letters, digits and single hyphens between them"),
    ),
  ),
  size: v.optional(v.pipe(text(productLimits.size), oneLine)),
  gtin: v.optional(
    v.pipe(
      textOrNone(40),
      v.transform((text) => text?.replaceAll(/[ -]/g, "") ?? null),
      v.check(
        (digits) => digits === null || isGtin(digits),
        "The 8, 12, 13 or 14 digits below the bar code; one of these does not fit the others",
      ),
    ),
  ),
  mpn: v.optional(textOrNone(productLimits.mpn)),
  sku: v.optional(textOrNone(productLimits.sku)),
  weightGrams: v.optional(
    v.nullable(v.pipe(wholeNumber(productLimits.weightGrams), v.minValue(1, "Must be 1 or more"))),
  ),
  hsCode: v.optional(
    v.pipe(
      textOrNone(20),
      v.transform((text) => text?.replaceAll(/[ .]/g, "") ?? null),
      v.check((digits) => digits === null || /^\d{6,12}$/.test(digits), "6 to 12 digits, such as 1515.90"),
    ),
  ),
  originCountry: v.optional(
    v.pipe(
      textOrNone(2),
      v.check(
        (code) => code === null || countries.some(([country]) => country === code),
        "A two-letter country code, such as HN",
      ),
    ),
  ),
  cost: v.optional(v.nullable(priceFrom(0))),
  compareAtPrice: v.optional(v.nullable(priceFrom(1))),
  scent: v.optional(textOrNone(productLimits.scent)),
  lasts: v.optional(textOrNone(productLimits.lasts)),
  videoUrl: v.optional(
    v.pipe(
      textOrNone(productLimits.videoUrl),
      v.check((url) => url === null || isVideoUrl(url), "The full web address of an MP4 file, with https://"),
    ),
  ),
  shortDescription: v.optional(text(productLimits.shortDescription)),
  description: v.optional(lines(productLimits.description)),
  benefits: v.optional(
    v.pipe(
      v.array(
        v.pipe(text(productLimits.benefit), v.minLength(1, "Write something, or remove the line")),
        "Must be a list",
      ),
      v.maxLength(productLimits.benefits, `At most ${productLimits.benefits} benefits`),
    ),
  ),
  usage: v.optional(lines(productLimits.usage)),
  isBestseller: v.optional(yesOrNo),
  isNew: v.optional(yesOrNo),
  published: v.optional(yesOrNo),
  stock: v.optional(wholeNumber(productLimits.stock)),
};

export const newProductSchema = v.object({ ...fields, name, price });
export const productChangeSchema = v.pipe(
  v.object({ ...fields, revision }),
  v.check(
    ({ revision: _, ...change }) => Object.values(change).some((value) => value !== undefined),
    "Send at least one field to change",
  ),
);
export const priceSchema = v.object({ price, revision });
export const archivedSchema = v.object({ archived: yesOrNo });
export const uploadSchema = v.object({ alt });
export const pictureChangeSchema = v.pipe(
  v.object({ alt: v.optional(alt), position: v.optional(wholeNumber(productLimits.images)) }),
  v.check(
    (change) => change.alt !== undefined || change.position !== undefined,
    "Send an alt text or a position",
  ),
);

export type NewProduct = v.InferOutput<typeof newProductSchema>;
export type ProductChange = v.InferOutput<typeof productChangeSchema>;
export type PictureChange = v.InferOutput<typeof pictureChangeSchema>;
