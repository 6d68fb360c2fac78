import type { Cart, CartLine, Quote } from "../../domain/cart/cart.ts";
import { priceUnits } from "../../domain/catalog/bundles.ts";
import { type OrderAmounts, orderAmounts } from "../../domain/checkout/included-tax.ts";
import { taxRateFor } from "../../domain/checkout/tax.ts";
import { computeTotals, type LineTotals, type Totals } from "../../domain/checkout/totals.ts";
import { priceWithBestDiscount } from "../../domain/discounts/best-discount.ts";
import { type Discount, discountLabel } from "../../domain/discounts/discount.ts";
import {
  type AutomaticDiscount,
  type DiscountedGoods,
  type DiscountLookup,
  discountProblem,
  discountSentences,
} from "../../domain/discounts/discount-terms.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { stateCode } from "../../domain/shared/country.ts";
import { minOrderTotalCents } from "../../domain/shared/money.ts";
import { estimateArrival, orderDay } from "../../domain/shipping/arrival.ts";
import {
  defaultShippingOption,
  homeCountry,
  type LiveRates,
  type ShippingOption,
  shippingOptionsFor,
  shippingPriceCents,
  withLiveRates,
} from "../../domain/shipping/shipping-policy.ts";
import { thumbnailUrl } from "../catalog/pictures/sizes.ts";
import { findSellable, type SellableProduct } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import { listRunningAutomaticDiscounts, lookUpDiscount } from "../discounts/queries.ts";
import { unitsHeldBy } from "../inventory/commands.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { ownerTimeZone } from "../settings/today.ts";

/** The response of the cart calls, from a quote without a code: its discount is automatic. */
export function cartFrom({ items, totals, discount }: Quote): Cart {
  const automaticDiscount = discount && { name: discount.code, label: discount.label };
  return { items, totals, ...(automaticDiscount && { automaticDiscount }) };
}

type QuoteInput = {
  items: readonly { productId: number; quantity: number }[];
  country: string | null;
  state: string | null;
  shippingOptionId: string | null;
  /** Null if the request has no code. */
  discount: DiscountLookup | null;
  /** Discounts that need no code, if any. One of them applies if it saves at least as much as the code. */
  automatic?: readonly AutomaticDiscount[];
  /** Prices that replace the shop's. */
  agreed?: AgreedPrices;
  /** The working day from which delivery times are counted (domain/shipping/arrival.ts). Without it, no arrival is computed. */
  orderDay?: string;
};

/**
 * Prices agreed with one buyer, in cents, which replace the shop's. Bundles do not apply to an agreed unit price, and free shipping
 * does not apply to an agreed shipping price.
 */
export type AgreedPrices = {
  /** By product id. */
  units: ReadonlyMap<number, number>;
  /** Null for the price of the shipping policy. */
  shippingCents: number | null;
};

export type PricedQuote = {
  quote: Quote;
  lineTotals: LineTotals[];
  amounts: OrderAmounts;
  option: ShippingOption | null;
  /** Whether the requested option is not offered for this country. */
  isOptionUnknown: boolean;
  /** Whether there is no such discount code. */
  isCodeUnknown: boolean;
};

/** Prices a cart with current prices and a discount code. */
export async function priceCart(
  ctx: ShopContext,
  request: Omit<QuoteInput, "shippingOptionId" | "discount" | "automatic" | "orderDay"> & {
    shippingOption: string | null;
    discountCode?: string | null;
    /** Carriers' prices, which replace the prices of the shipping policy. */
    liveRates?: LiveRates | null;
    /** Names of automatic discounts that the buyer cannot have. */
    withoutDiscounts?: readonly string[];
    /** This visitor's unpaid orders count neither against the code's limits nor against the available units. */
    visitorId?: VisitorId | null;
  },
): Promise<PricedQuote> {
  const productIds = request.items.map(({ productId }) => productId);
  const { discountCode: code, liveRates = null, visitorId = null } = request;
  const [sellable, ownReservations] = await Promise.all([
    findSellable(ctx.db, productIds),
    visitorId === null ? new Map<number, number>() : unitsHeldBy(ctx.db, visitorId, productIds),
  ]);
  const products = new Map(
    [...sellable].map(([id, product]) => [
      id,
      product.isPublished ? { ...product, free: product.free + (ownReservations.get(id) ?? 0) } : product,
    ]),
  );
  const discount = code ? await lookUpDiscount(ctx, { code, visitorId }) : null;
  const automatic = (await listRunningAutomaticDiscounts(ctx, { visitorId })).filter(
    ({ code: name }) => !request.withoutDiscounts?.includes(name),
  );
  const settings = await ctx.settings();
  const day = orderDay(settings.calendar, await ownerTimeZone(ctx), ctx.now());
  const input = { ...request, shippingOptionId: request.shippingOption, discount, automatic, orderDay: day };
  const shipping = withLiveRates(settings.shipping, liveRates);
  return quoteCart(input, products, { ...settings, shipping });
}

/**
 * Prices a cart from products, shipping policy and taxes, without side effects. Drops lines of unknown products. A line's
 * `available` is the number of units that can be bought.
 */
export function quoteCart(
  input: QuoteInput,
  products: ReadonlyMap<number, SellableProduct>,
  settings: Pick<ShopSettings, "shipping" | "tax" | "calendar">,
): PricedQuote {
  const items = input.items.flatMap(({ productId, quantity }): CartLine[] => {
    const product = products.get(productId);
    if (!product) return [];
    const agreedPrice = input.agreed?.units.get(productId);
    const price = agreedPrice ?? product.priceCents;
    const bundleOffers = agreedPrice === undefined ? product.bundles : [];
    const { saving: bundleSaving, ...cost } = priceUnits(price, quantity, bundleOffers);
    return [
      {
        productId,
        slug: product.slug,
        name: product.name,
        image: product.imageFile === null ? null : thumbnailUrl(product.imageFile),
        price,
        quantity,
        ...cost,
        bundleSaving,
        bundleOffers,
        available: Math.max(0, product.free),
      },
    ];
  });
  const country = input.country ?? homeCountry;
  const subtotal = items.reduce((sum, line) => sum + line.total, 0);
  const options = shippingOptionsFor(settings.shipping, country);
  const requestedId = input.shippingOptionId;
  const offeredOption =
    requestedId === null
      ? defaultShippingOption(settings.shipping, country, subtotal)
      : (options.find(({ id }) => id === requestedId) ?? null);
  const agreedShipping = input.agreed?.shippingCents ?? null;
  const option =
    offeredOption && agreedShipping !== null
      ? { ...offeredOption, price: agreedShipping, freeFrom: null }
      : offeredOption;
  // Tax rates are keyed by state code; clients may send the state's name.
  const taxRate = taxRateFor(settings.tax, country, input.state && stateCode(country, input.state));
  const goods = {
    lines: items.map(({ productId, price, quantity, bundleOffers: bundles }) => ({
      productId,
      price,
      quantity,
      bundles,
    })),
    shippingOption: option,
    taxRate,
  };
  const fullPrice = computeTotals(goods);
  const code = checkCode(input.discount, { ...fullPrice.totals, lines: goods.lines }, option);
  const leavesTooLittle =
    code.discount !== null &&
    computeTotals({ ...goods, discount: code.discount }).totals.total < minOrderTotalCents;
  const priced = priceWithBestDiscount(goods, {
    code: leavesTooLittle ? null : code.discount,
    automatic: input.automatic ?? [],
  });
  const problem = leavesTooLittle
    ? discountSentences.leavesTooLittle
    : code.discount !== null && priced.automatic !== null
      ? discountSentences.savesNoMore(priced.automatic.code)
      : code.problem;
  const appliedDiscount = priced.discount;
  const isShippingFree = appliedDiscount?.kind === "free_shipping";
  const isSoldOut = items.some(({ available, quantity }) => available < quantity);
  const day = input.country === null || isSoldOut ? undefined : input.orderDay;
  return {
    quote: {
      items,
      totals: priced.totals,
      shippingOptions: options.map((shippingOption) => ({
        ...shippingOption,
        cost: isShippingFree ? 0 : shippingPriceCents(shippingOption, subtotal),
        arrival: day === undefined ? null : estimateArrival(shippingOption, settings.calendar, day),
      })),
      shippingOption: option?.id ?? null,
      discount: appliedDiscount && {
        code: appliedDiscount.code,
        kind: appliedDiscount.kind,
        value: appliedDiscount.value,
        label: discountLabel(appliedDiscount),
        ...(appliedDiscount.productIds?.length && { productIds: [...appliedDiscount.productIds] }),
        ...(priced.automatic && { automatic: true as const }),
      },
      discountProblem: problem,
    },
    lineTotals: priced.lines,
    amounts: orderAmounts(priced, taxRate),
    option,
    isOptionUnknown: requestedId !== null && option === null,
    isCodeUnknown: input.discount !== null && input.discount.terms === null,
  };
}

/** The discount of the entered code if it applies, or why it does not. */
function checkCode(
  lookup: DiscountLookup | null,
  goods: DiscountedGoods & Pick<Totals, "shipping">,
  option: ShippingOption | null,
): { discount: Discount | null; problem: string | null } {
  const { subtotal, shipping } = goods;
  // For an empty cart, a valid code is neither applied nor a problem.
  if (!lookup || (lookup.terms && subtotal === 0)) return { discount: null, problem: null };
  const problem = discountProblem(lookup, goods);
  if (problem !== null || lookup.terms === null) return { discount: null, problem };
  const { code, kind, value, productIds } = lookup.terms;
  if (kind === "free_shipping" && option !== null && shipping === 0) {
    return { discount: null, problem: discountSentences.shipsFreeAlready };
  }
  return { discount: { code, kind, value, productIds }, problem: null };
}
