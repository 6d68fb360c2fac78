import { maxQuantity } from "../../domain/cart/cart-limits.ts";
import type { CheckoutRequest } from "../../domain/checkout/checkout.ts";
import { type TaxPolicy, taxedStates, taxNeedsCountry } from "../../domain/checkout/tax.ts";
import type { AutomaticDiscount } from "../../domain/discounts/discount-terms.ts";
import { joinAddress } from "../../domain/orders/order.ts";
import { withoutHost } from "../../domain/orders/source.ts";
import { countryCode, countryName, countryStates, stateCode } from "../../domain/shared/country.ts";
import { maxOrderTotalCents } from "../../domain/shared/money.ts";
import { pick } from "../../domain/shared/pick.ts";
import { estimateArrival, orderDay } from "../../domain/shipping/arrival.ts";
import { homeCountry, sanctionedCountries, withLiveRates } from "../../domain/shipping/shipping-policy.ts";
import { findLiveRates } from "../cart/live-rates.ts";
import { type PricedQuote, quoteCart } from "../cart/quote.ts";
import { findSellable } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import {
  listRunningAutomaticDiscounts,
  lookUpDiscount,
  type RunningAutomaticDiscount,
} from "../discounts/queries.ts";
import { allowedAutomaticDiscounts } from "../discounts/uses.ts";
import type { NewOrder } from "../orders/commands.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { type CheckoutInput, type CheckoutRefusal, hashRequest, ownKey } from "./input.ts";
import { outOfStockRefusal } from "./refusals.ts";

/** Builds the order from the shop's prices, stock, policy and taxes, or returns the problems with the request. */
export async function buildOrder(
  ctx: ShopContext,
  input: CheckoutInput,
  /** Ids of automatic discounts whose last use another order has taken. */
  takenDiscountIds: readonly number[] = [],
): Promise<{ ok: true; newOrder: NewOrder } | CheckoutRefusal> {
  const { metadata, shipping, shippingOption, orderItems, amount, discountCode, rateQuoteId } = input.request;
  const lines = mergeLines(orderItems);
  const productIds = lines.map(({ productId }) => productId);
  const { visitorId } = input;
  const [products, settings, timeZone, discount, runningDiscounts, liveRates] = await Promise.all([
    findSellable(ctx.db, productIds),
    ctx.settings(),
    ownerTimeZone(ctx),
    discountCode ? lookUpDiscount(ctx, { code: discountCode, visitorId }) : (input.discount ?? null),
    // Orders at agreed prices get no automatic discount.
    input.agreed ? [] : listRunningAutomaticDiscounts(ctx, { visitorId }),
    rateQuoteId && shipping
      ? findLiveRates(ctx, rateQuoteId, { visitorId, items: lines, address: shipping })
      : null,
  ]);
  // The owner's draft orders can be paid while the shop is paused.
  if (settings.pausedText !== null && !input.agreed)
    return { ok: false, reason: "paused", text: settings.pausedText };
  const { mode } = ctx.provider;
  const findAllowed = async (running: readonly RunningAutomaticDiscount[], visitorId: VisitorId | null) => {
    const allowed = await allowedAutomaticDiscounts(ctx.db, running, {
      email: metadata.email,
      mode,
      visitorId,
    });
    return allowed.filter(({ id }) => !takenDiscountIds.includes(id));
  };
  let automatic = await findAllowed(runningDiscounts, visitorId);
  const { problem, ...destination } = orderDestination(input.request, settings.tax);
  const priceWith = (automatic: readonly AutomaticDiscount[]) =>
    quoteCart(
      {
        items: lines,
        ...destination,
        shippingOptionId: shippingOption,
        discount,
        automatic,
        ...(input.agreed && { agreed: input.agreed }),
      },
      products,
      { ...settings, shipping: withLiveRates(settings.shipping, liveRates) },
    );
  const isPriceSame = orderItems.every(
    ({ productId, price }) =>
      (input.agreed?.units.get(productId) ?? products.get(productId)?.priceCents) === price,
  );
  const isRequestedTotal = ({ quote }: PricedQuote) => isPriceSame && amount === quote.totals.total;
  let buyersQuote = priceWith(automatic);
  if (!isRequestedTotal(buyersQuote) && runningDiscounts.length > 0) {
    // A use held by the shopper's own unpaid order is not always available, for example while a bank processes that payment.
    const availableDiscounts = await findAllowed(
      await listRunningAutomaticDiscounts(ctx, { visitorId: null }),
      null,
    );
    const quote = priceWith(availableDiscounts);
    if (isRequestedTotal(quote)) [automatic, buyersQuote] = [availableDiscounts, quote];
  }
  const isBuyersTotal = isRequestedTotal(buyersQuote);
  // If the amount is not the buyer's total, all e-mail addresses get the same response, which reveals nothing about them.
  const priced = isBuyersTotal ? buyersQuote : priceWith(runningDiscounts);
  const { totals } = priced.quote;
  const fields = { ...orderProblems(input.request, lines, products, priced), ...problem };
  if (priced.option === null || Object.keys(fields).length > 0)
    return { ok: false, reason: "invalid", fields, isCodeUnknown: priced.isCodeUnknown };
  if ([...products.values()].some(({ isPublished }) => !isPublished))
    return outOfStockRefusal(ctx, input, lines);
  if (!isBuyersTotal && isRequestedTotal(priced)) {
    const refusedDiscounts = runningDiscounts
      .filter((code) => !automatic.includes(code))
      .map(({ code }) => code);
    return { ok: false, reason: "price_changed", total: buyersQuote.quote.totals.total, refusedDiscounts };
  }
  if (!isBuyersTotal) return { ok: false, reason: "price_changed", total: totals.total };
  const appliedDiscount = priced.quote.discount;
  const usedDiscount = appliedDiscount?.automatic
    ? automatic.find(({ code }) => code === appliedDiscount.code)
    : discount;
  return {
    ok: true,
    newOrder: {
      visitorId,
      buyerNetwork: input.buyerNetwork,
      entries: {
        email: metadata.email,
        customerName: metadata.customerName,
        phone: metadata.phone,
        shippingAddress: shipping
          ? joinAddress(shipping, countryName(shipping.country) ?? "")
          : metadata.shippingAddress,
        shipping,
        gift: input.request.gift ?? null,
      },
      byWallet: input.request.wallet ?? false,
      shippingOption: priced.option,
      arrival: estimateArrival(
        priced.option,
        settings.calendar,
        orderDay(settings.calendar, timeZone, ctx.now()),
      ),
      source: withoutHost(input.request.source ?? null, new URL(ctx.config.publicUrl).hostname),
      discount:
        appliedDiscount && usedDiscount?.id
          ? {
              id: usedDiscount.id,
              code: appliedDiscount.code,
              personalCode: appliedDiscount.automatic ? null : (discount?.personalCode ?? null),
              automatic: appliedDiscount.automatic ?? false,
            }
          : null,
      givingPercent: settings.givingPercent,
      mode,
      lines: priced.quote.items.map((line, index) => ({
        ...pick(line, "productId", "name", "quantity", "bundles"),
        image: products.get(line.productId)?.imageFile ?? null,
        unitPriceCents: line.price,
        bundleSavingCents: line.bundleSaving,
        discountCents: priced.lineTotals[index]?.discount ?? 0,
        taxCents: priced.lineTotals[index]?.tax ?? 0,
      })),
      currency: totals.currency,
      amounts: priced.amounts,
      idempotencyKey: ownKey(input),
      requestHash: hashRequest(input),
      now: ctx.now(),
      reservationSeconds: ctx.config.reservationSeconds,
    },
  };
}

function mergeLines(items: CheckoutRequest["orderItems"]): { productId: number; quantity: number }[] {
  const quantities = new Map<number, number>();
  for (const { productId, quantity } of items)
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  return [...quantities].map(([productId, quantity]) => ({ productId, quantity }));
}

type Destination = { country: string; state: string | null; problem: Record<string, string> };

/**
 * Country and state for shipping and tax. If the tax depends on a state that cannot be read from the address, `problem` has a
 * message for the field, so that no order is left untaxed.
 */
function orderDestination({ shipping, metadata }: CheckoutRequest, tax: TaxPolicy): Destination {
  if (shipping) {
    const { country, state } = shipping;
    const needsState = taxedStates(tax, country).length > 0;
    const isKnown = countryStates(country) === null ? state !== "" : knownState(country, state) !== null;
    const problem = needsState && !isKnown ? { "shipping.state": "Enter your state or province" } : {};
    return { country, state: state || null, problem };
  }
  const line = metadata.shippingAddress;
  const { country } = readJoinedAddress(line, metadata.country);
  if (country === null) {
    const problem = taxNeedsCountry(tax) ? { shippingAddress: addressProblem } : {};
    return { country: homeCountry, state: null, problem };
  }
  const states = taxedStates(tax, country);
  const { state } = readJoinedAddress(line, country, states);
  const problem = states.length > 0 && state === null ? { shippingAddress: addressProblem } : {};
  return { country, state, problem };
}

const addressProblem =
  "End your address with city, state and ZIP code, and country, like “Austin, TX 78701, United States”";

function orderProblems(
  request: CheckoutRequest,
  lines: readonly { productId: number; quantity: number }[],
  products: ReadonlyMap<number, unknown>,
  { quote, isOptionUnknown }: PricedQuote,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { productId, quantity } of lines) {
    const index = request.orderItems.findIndex((item) => item.productId === productId);
    if (!products.has(productId)) fields[`orderItems.${index}.productId`] = "This product is no longer sold";
    if (quantity > maxQuantity)
      fields[`orderItems.${index}.quantity`] = `At most ${maxQuantity} of one product`;
  }
  if (quote.shippingOptions.length === 0) fields["shipping.country"] = "We don’t ship to this country";
  else if (isOptionUnknown) fields.shippingOption = "This shipping option is not available for the address";
  if (quote.totals.total > maxOrderTotalCents) {
    fields.orderItems = "This order is too large to be paid in one payment";
  }
  if (quote.totals.total === 0) fields.orderItems = "There is nothing to pay";
  if (quote.discountProblem !== null) fields.discountCode = quote.discountProblem;
  return fields;
}

/**
 * Country and state of a one-line address from older clients ("1 Main St, Austin, TX 78701, United States"); null for parts that
 * cannot be read. The client's separate `country` takes precedence over two letters at the line's end, which may be a province,
 * but not over a country name there, because that is the parcel's destination. `stateCodes` are state codes of countries for which
 * the shop has no list of states.
 */
export function readJoinedAddress(
  line: string,
  country: string | null,
  stateCodes: readonly string[] = [],
): { country: string | null; state: string | null } {
  const readable = line
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim();
  const parts = readable.split(/[,;\n]/).map((part) => part.trim());
  const end = parts.at(-1) ?? "";
  const lastPart = countryIn(end) ?? sanctionedAtEnd(readable);
  const mayBeProvince = end.length === 2 && !codesOfNoProvince.includes(end.toUpperCase());
  const code = (mayBeProvince ? null : lastPart) ?? countryCode(country ?? "") ?? lastPart;
  if (code === null) return { country: null, state: null };
  // From the end, because streets and towns may have a state's name. The first part is always the street.
  const rest = (lastPart === null ? parts : parts.slice(0, -1)).slice(1).reverse();
  for (const part of rest) {
    const state = stateIn(part, code, stateCodes);
    if (state !== null) return { country: code, state };
  }
  return { country: code, state: null };
}

/** Two letters that are also a state of the United States are not read as a country: "GA" is more likely Georgia than Gabon. */
function countryIn(part: string): string | null {
  const code = countryCode(part);
  return code !== null && code !== "US" && knownState("US", part) !== null ? null : code;
}

/** Country codes that are no province's code, so that they take precedence over the client's `country`. */
const codesOfNoProvince: readonly string[] = ["US", ...sanctionedCountries];

/** Includes alternative names: "Syrian Arab Republic", "Iran, Islamic Republic of". */
const sanctionedNames: readonly (readonly [code: string, name: RegExp])[] = [
  ["CU", / cuba$/],
  ["IR", / (iran|iran islamic republic of)$/],
  [
    "KP",
    / (north korea|dpr korea|dprk|democratic peoples republic of korea|korea democratic peoples republic of)$/,
  ],
  ["SY", / (syria|syrian arab republic)$/],
];

/** The sanctioned country at the line's end, after any separator, so that punctuation cannot hide it. */
function sanctionedAtEnd(line: string): string | null {
  const words = line
    .toLowerCase()
    .replaceAll(/[’'.]/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  const withoutPostalCode = ` ${words.replace(/[\d ]+$/, "")}`;
  return sanctionedNames.find(([, name]) => name.test(withoutPostalCode))?.[0] ?? null;
}

/** The state's code in "TX 78701", "TX" or "Texas"; null if there is none. */
function stateIn(part: string, country: string, stateCodes: readonly string[]): string | null {
  const words = part.split(/\s+/);
  const postalCode = words.findIndex((word) => /\d/.test(word));
  const withoutPostalCode = words.slice(0, postalCode === -1 ? undefined : postalCode).join(" ");
  const state = knownState(country, withoutPostalCode);
  if (state !== null || countryStates(country)) return state;
  const code = withoutPostalCode.toUpperCase();
  return stateCodes.includes(code) ? code : null;
}

/** The code of a state, found by its code or name; null if it is not on the country's list. */
function knownState(country: string, nameOrCode: string): string | null {
  const code = stateCode(country, nameOrCode);
  return countryStates(country)?.some(([listedCode]) => listedCode === code) ? code : null;
}
