import type { Quote } from "../../../../domain/cart/cart.ts";
import type { CheckoutStarted } from "../../../../domain/checkout/checkout.ts";
import { joinAddress, type ShippingAddress } from "../../../../domain/orders/order.ts";
import { countryName } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { type ApiProblem, callApi } from "../../api.ts";
import { discardSharedCode } from "../shared-code.ts";
import { sourceField } from "../stored-checkout.ts";

export type WalletGoods = {
  items: { productId: number; quantity: number }[];
  discountCode: string | null;
};

/** The part of an address that a wallet's sheet reveals before the buyer has agreed to pay. */
type WalletDestination = { country: string; state: string };

/** The buyer's data, revealed once the buyer has agreed to pay. */
export type WalletBuyer = { email: string; name: string; phone: string; address: ShippingAddress };

/** The prices in a sheet, in cents. The chosen rate comes first; `lines` add up to `amount`. */
export type SheetPrice = {
  amount: number;
  currency: string;
  lines: { name: string; amount: number }[];
  rates: { id: string; name: string; amount: number; days: readonly [number, number] }[];
};

/** Why a wallet cannot pay: `reason` is for the sheet, `message` for people. */
export type WalletRefusal = { ok: false; reason: "fail" | "address" | "unserviceable"; message: string };
export type SheetResult = { ok: true; price: SheetPrice } | WalletRefusal;
type PlacedOrder = { ok: true; checkout: CheckoutStarted } | WalletRefusal;

/** Longest wait for a price (ms): a sheet closes without explanation after 20 seconds. */
const quoteTimeoutMs = 12_000;
/** Longest wait for the order (ms). */
const orderTimeoutMs = 20_000;

/** The last order request and its key: an equal request, for example after a declined card, gets the same order. */
let lastRequest: { body: string; key: string } | null = null;

/** Names of automatic discounts for which an order was refused; the next sheet is priced without them. */
let refusedDiscounts: string[] = [];

/** One opening of a wallet's sheet, from the press to the order. Every price in it is the server's. */
export function startPurchase(goods: WalletGoods) {
  let destination: WalletDestination | null = null;
  let rateId: string | null = null;
  let quote: Quote | null = null;
  /** The amount in the sheet, to which the buyer agrees. */
  let agreedAmount: number | null = null;

  const requestPrice = async (): Promise<SheetResult> => {
    const { country = null, state = null } = destination ?? {};
    const response = await callApi("POST /api/cart/quote", {
      body: {
        ...goods,
        country,
        state: state || null,
        shippingOption: rateId,
        withoutDiscounts: refusedDiscounts,
      },
      timeoutMs: quoteTimeoutMs,
    });
    if (!response.ok) return refusalFor(response.problem);
    const problem = walletRefusal(goods, response.body.data, country);
    if (problem) return problem;
    quote = response.body.data;
    return { ok: true, price: sheetPrice(quote) };
  };
  /** Requests a price that the sheet will show. */
  const requestSheetPrice = async (): Promise<SheetResult> => {
    const response = await requestPrice();
    if (response.ok) agreedAmount = response.price.amount;
    return response;
  };

  return {
    open: requestSheetPrice,
    setDestination(next: WalletDestination): Promise<SheetResult> {
      destination = next;
      rateId = null;
      return requestSheetPrice();
    },
    chooseRate(id: string): Promise<SheetResult> {
      rateId = id;
      return requestSheetPrice();
    },
    /** Creates the order, or finds an equal one created before. */
    async place(buyer: WalletBuyer, rate: string | null): Promise<PlacedOrder> {
      const { country, state } = buyer.address;
      const hasOtherDestination = country !== destination?.country || state !== destination.state;
      if (hasOtherDestination || (rate !== null && rate !== quote?.shippingOption)) {
        destination = { country, state };
        rateId = rate;
        const response = await requestPrice();
        if (!response.ok) return response;
      }
      if (!quote || agreedAmount === null) return refusalFor(null);
      if (quote.totals.total !== agreedAmount) return priceChangeRefusal(quote.totals.total);
      const body = orderBody(quote, buyer);
      const text = JSON.stringify(body);
      if (lastRequest?.body !== text) lastRequest = { body: text, key: `wallet-${randomUuid()}` };
      const response = await callApi("POST /api/stripe/create-payment-intent", {
        body,
        headers: { "Idempotency-Key": lastRequest.key },
        timeoutMs: orderTimeoutMs,
      });
      if (response.ok) return { ok: true, checkout: response.body };
      const { error, fields } = response.problem;
      // A share link's code can be refused for the buyer's e-mail address: the next attempt pays without it.
      if (fields.discountCode !== undefined) discardSharedCode();
      // The order of this key has been closed; the next attempt creates a new one.
      if (error === "invalid_state") lastRequest = null;
      if (error !== "price_changed" && error !== "out_of_stock") return refusalFor(response.problem);
      // Empty if this buyer can have the discounts that an earlier buyer was refused.
      if (error === "price_changed") refusedDiscounts = response.problem.refusedDiscounts ?? [];
      const newPrice = await requestPrice();
      if (!newPrice.ok) return newPrice;
      if (error === "price_changed") return priceChangeRefusal(newPrice.price.amount);
      return {
        ok: false,
        reason: "fail",
        message: `There is not enough left in stock. ${nothingChargedText}`,
      };
    },
  };
}
export type WalletPurchase = ReturnType<typeof startPurchase>;

/** After an order is paid, buying the same goods again makes a new one. */
export function finishPurchase(): void {
  lastRequest = null;
  refusedDiscounts = [];
}

const nothingChargedText = "Nothing was charged.";

function priceChangeRefusal(amount: number): WalletRefusal {
  const message = `The total is now ${formatCents(amount)}. ${nothingChargedText} Please check it and pay again.`;
  return { ok: false, reason: "fail", message };
}

export function sheetPrice({ items, totals, shippingOptions, shippingOption, discount }: Quote): SheetPrice {
  const rates = shippingOptions.map(({ id, name, cost, days }) => ({ id, name, amount: cost, days }));
  const isChosen = ({ id }: { id: string }) => id === shippingOption;
  return {
    amount: totals.total,
    currency: totals.currency,
    lines: [
      ...items.map(({ name, quantity, total }) => ({
        name: quantity === 1 ? name : `${name} × ${quantity}`,
        amount: total,
      })),
      ...(totals.discount > 0
        ? [{ name: discount ? `Discount ${discount.code}` : "Discount", amount: -totals.discount }]
        : []),
      { name: "Shipping", amount: totals.shipping },
      ...(totals.tax > 0 && !totals.taxIncluded ? [{ name: "Tax", amount: totals.tax }] : []),
    ],
    // Sheets preselect the first rate.
    rates: [...rates.filter(isChosen), ...rates.filter((rate) => !isChosen(rate))],
  };
}

/** Why a quote cannot be paid; null if it can. */
export function walletRefusal(
  { items }: Pick<WalletGoods, "items">,
  quote: Quote,
  country: string | null,
): WalletRefusal | null {
  const fail = (message: string): WalletRefusal => ({ ok: false, reason: "fail", message });
  if (quote.items.length < items.length) {
    return fail(
      items.length === 1 ? "This product is no longer sold." : "Something in your cart is no longer sold.",
    );
  }
  const shortLine = quote.items.find(({ available, quantity }) => available < quantity);
  if (shortLine && shortLine.available === 0) return fail(`${shortLine.name} is sold out.`);
  if (shortLine) return fail(`Only ${shortLine.available} of ${shortLine.name} left.`);
  if (quote.shippingOption === null) {
    const place = country === null ? null : countryName(country);
    const message = place ? `We don’t ship to ${place}.` : "We don’t ship to this country.";
    return { ok: false, reason: "unserviceable", message };
  }
  return null;
}

/** Converts the server's problem for the sheet; null if no price has been loaded yet. */
function refusalFor(problem: ApiProblem | null): WalletRefusal {
  const [path, sentence] = Object.entries(problem?.fields ?? {})[0] ?? [];
  if (path === undefined || sentence === undefined) {
    return { ok: false, reason: "fail", message: problem?.message ?? "The price could not be loaded." };
  }
  const isCountryField = path === "shipping.country";
  const reason = isCountryField ? "unserviceable" : path.startsWith("shipping.") ? "address" : "fail";
  return { ok: false, reason, message: sentence.replace(/\.?$/, ".") };
}

function orderBody({ items, totals, shippingOption, discount }: Quote, buyer: WalletBuyer) {
  const { address, email, name, phone } = buyer;
  return {
    amount: totals.total,
    orderItems: items.map(({ productId, quantity, price }) => ({ productId, quantity, price })),
    metadata: {
      email,
      customerName: name,
      phone,
      shippingAddress: joinAddress(address, countryName(address.country) ?? address.country),
      country: address.country,
    },
    shipping: address,
    shippingOption,
    discountCode: (!discount?.automatic && discount?.code) || null,
    wallet: true,
    ...sourceField(),
  };
}
