import { bundleChoices } from "../../../domain/catalog/bundles.ts";
import type { Product, ProductImage } from "../../../domain/catalog/product.ts";
import { defaultPicture } from "../../../domain/catalog/product-image.ts";
import {
  dispatchTime,
  excludedIngredients,
  inciName,
  returnsNote,
  returnsSentence,
  shelfLifeSentence,
} from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { arrivalText, estimateArrivals } from "../../../domain/shipping/arrival.ts";
import { countryNotes } from "../../../domain/shipping/country-notes.ts";
import { deliveryFacts } from "../../../domain/shipping/delivery-facts.ts";
import type { CountryNote } from "../../../domain/shipping/served-countries.ts";
import { usualOption } from "../../../domain/shipping/shipping-policy.ts";
import { shopPicture } from "../content/shop-picture.ts";

/** A product page's texts on prices, delivery, returns and the oil. Built on the server, to keep them out of the scripts. */
export type ProductTerms = {
  /** One unit and the bundles; empty if there are no bundles. */
  choices: Choice[];
  /** "$14.98 / fl oz"; empty if the size is not a measure. */
  unitPrices: string[];
  /** "Arrives Nov 27 – Dec 2", by the usual shipping option of each zone. */
  arrivals: { countries: "*" | string[]; text: string }[];
  shippingNotes: CountryNote[];
  /** "30-day returns"; null if the shop accepts no returns. */
  returnsNote: string | null;
  details: Detail[];
  /** The shop's own pictures: `front` replaces a first picture that fails to load, `usage` is beside the usage steps. */
  pictures: { front: ProductImage; usage: ProductImage };
  /** Whether the page offers wallets. */
  hasWallets: boolean;
};

/** Whether a product is the shop's oil, in any size. */
export function isOil(product: Pick<Product, "id" | "family">, oil: Pick<Product, "id"> | null): boolean {
  return oil !== null && (product.family?.sizes ?? [product]).some(({ id }) => id === oil.id);
}

/** "3 bottles" for "$79.00", "$26.33 each", "Save $10.85". */
export type Choice = {
  quantity: number;
  name: string;
  total: string;
  /** `total` in cents. */
  cents: number;
  unitPriceText: string;
  saving: string;
  isBest: boolean;
};

/** A section that opens below the buttons: paragraphs, and lists as arrays of lines. */
type Detail = { title: string; parts: (string | string[])[] };

/**
 * `isBatana`: whether the product is the oil that the texts on ingredients and storage describe. `orderDay`: the day from
 * which the delivery time of an order placed now is counted.
 */
export function productTerms(
  { calendar, shipping, returns, wallets }: ShopSettings,
  { size, price, bundles }: Pick<Product, "size" | "price" | "bundles">,
  { isBatana, orderDay }: { isBatana: boolean; orderDay: string },
): ProductTerms {
  const arrivals = estimateArrivals(shipping, calendar, orderDay);
  const shippingDetail = {
    title: "Shipping & returns",
    parts: [
      `Shipped within ${dispatchTime}. Delivery after that:`,
      deliveryFacts(shipping).map(
        ({ id, name, place, days, price, freeFrom }) =>
          `${name} to ${place}: ${days}, ${price}${freeFrom === null ? "" : `, free over ${freeFrom}`}. ${arrivals[id] && onOneLine(arrivalText(arrivals[id]))}.`,
      ),
      returnsSentence(returns),
    ],
  };
  return {
    choices: bundleChoices(price, bundles).map(({ quantity, total, unitPrice, saving, isBest }) => ({
      quantity,
      name: `${quantity} ${isBatana ? "bottle" : "item"}${quantity === 1 ? "" : "s"}`,
      total: formatCents(total),
      cents: total,
      unitPriceText: `${formatCents(unitPrice)} each`,
      saving: `Save ${formatCents(saving)}`,
      isBest,
    })),
    unitPrices: unitPrices(size, price),
    arrivals: shipping.zones.flatMap(({ countries, options }) => {
      const option = usualOption(options, price);
      const arrival = option && arrivals[option.id];
      return arrival ? { countries, text: arrivalText(arrival) } : [];
    }),
    shippingNotes: countryNotes(shipping),
    returnsNote: returnsNote(returns),
    details: isBatana ? [batanaIngredients, shippingDetail, batanaStorage] : [shippingDetail],
    pictures: { front: shopPicture(defaultPicture, ""), usage: shopPicture("bottle-oil-pool.jpg", "") },
    hasWallets: wallets.product,
  };
}

/** Keeps "Arrives Nov 27 – Dec 2" on one line. */
const onOneLine = (arrival: string) => arrival.replaceAll(" ", "\u00a0");

const batanaIngredients: Detail = {
  title: "Ingredients",
  parts: [
    `100% batana oil. INCI: ${inciName}. No ${excludedIngredients}.`,
    "Before first use, put a drop on the inside of your arm and wait 24 hours. Don’t use the oil if your skin reacts. For external use only. Keep away from eyes.",
  ],
};

const batanaStorage: Detail = {
  title: "Storage",
  parts: [
    `Keep cool and dark. ${shelfLifeSentence} The oil thickens when it’s cold. Warm the bottle in your hands and it flows again.`,
    "The batch number on the bottle tells which pressing yours came from. Please mention it if you write to us. The best-before date is for a bottle kept closed, cool and dark. Color and scent vary a little from batch to batch.",
  ],
};

/** By unit of measure: the amount for which a comparison price is shown, such as 100 ml. */
const units: Record<string, { perUnit: string; amount: number }> = {
  "fl oz": { perUnit: "fl oz", amount: 1 },
  oz: { perUnit: "oz", amount: 1 },
  ml: { perUnit: "100 ml", amount: 100 },
  l: { perUnit: "l", amount: 1 },
  g: { perUnit: "100 g", amount: 100 },
  kg: { perUnit: "kg", amount: 1 },
};

/**
 * Prices per unit of measure for each measure that a size contains: "2 fl oz / 60 ml" at 2995 cents is ["$14.98 / fl oz",
 * "$49.92 / 100 ml"]. Half cents are rounded up. Empty if the size contains no measure.
 */
export function unitPrices(size: string, priceCents: number): string[] {
  const amounts = size.matchAll(/(?:(\d+)\s*[x×]\s*)?(\d+(?:[.,]\d+)?)\s*(fl\.?\s*oz|oz|ml|l|kg|g)\b/gi);
  return [...amounts].flatMap(([, times = "1", number = "", unitName = ""]) => {
    const unit = units[unitName.toLowerCase().replace(/^fl\.?\s*oz$/, "fl oz")];
    const amount = Number(times) * Number(number.replace(",", "."));
    if (!unit || amount === 0 || amount === unit.amount) return [];
    return `${formatCents(Math.round((priceCents * unit.amount) / amount))} / ${unit.perUnit}`;
  });
}
