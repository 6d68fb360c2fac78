import type { Quote } from "../../../../domain/cart/cart.ts";
import type { CheckoutStarted } from "../../../../domain/checkout/checkout.ts";
import { joinAddress, type ShippingAddress } from "../../../../domain/orders/order.ts";
import { countryName } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { type ApiProblem, callApi } from "../../api.ts";

/** What is bought: lines, and the code that comes off them. */
export type WalletGoods = {
  items: { productId: number; quantity: number }[];
  discountCode: string | null;
};

/** The part of an address that a wallet's sheet gives away before the buyer has agreed to pay. */
export type WalletDestination = { country: string; state: string };

/** Who pays, and where to, as the sheet tells it in the end. */
export type WalletBuyer = { email: string; name: string; phone: string; address: ShippingAddress };

/** What a sheet shows, in cents. The rate that is paid for comes first; `lines` add up to `amount`. */
export type SheetPrice = {
  amount: number;
  currency: string;
  lines: { name: string; amount: number }[];
  rates: { id: string; name: string; amount: number; days: readonly [number, number] }[];
};

/** Why a wallet's payment does not go on. `reason` is for the sheet, `message` for people. */
export type WalletRefusal = { ok: false; reason: "fail" | "address" | "unserviceable"; message: string };
export type SheetAnswer = { ok: true; price: SheetPrice } | WalletRefusal;
export type Placed = { ok: true; started: CheckoutStarted } | WalletRefusal;

/** Longest wait for a price (ms): a sheet gives up by itself after 20 seconds, and says nothing of why. */
const quoteMs = 12_000;
/** And for the order (ms). */
const orderMs = 20_000;

/** The order asked for last, and its key: the same again, after a card was declined say, is the same order. */
let asked: { body: string; key: string } | null = null;

/** One opening of a wallet's sheet, from the press to the order. Every price in it is the server's. */
export function startPurchase(goods: WalletGoods) {
  let sentTo: WalletDestination | null = null;
  let rateId: string | null = null;
  let quote: Quote | null = null;
  /** What the sheet says is to be paid: what its buyer agrees to. */
  let agreed: number | null = null;

  const price = async (): Promise<SheetAnswer> => {
    const { country = null, state = null } = sentTo ?? {};
    const answer = await callApi("POST /api/cart/quote", {
      body: { ...goods, country, state: state || null, shippingOption: rateId },
      timeoutMs: quoteMs,
    });
    if (!answer.ok) return refused(answer.problem);
    const problem = problemOf(goods, answer.body.data, country);
    if (problem) return problem;
    quote = answer.body.data;
    return { ok: true, price: sheetPrice(quote) };
  };
  const show = async (): Promise<SheetAnswer> => {
    const answer = await price();
    if (answer.ok) agreed = answer.price.amount;
    return answer;
  };

  return {
    open: show,
    sendTo(destination: WalletDestination): Promise<SheetAnswer> {
      sentTo = destination;
      rateId = null;
      return show();
    },
    shipBy(id: string): Promise<SheetAnswer> {
      rateId = id;
      return show();
    },
    /** Makes the order, or finds the one made before for the same. */
    async place(buyer: WalletBuyer, rate: string | null): Promise<Placed> {
      const { country, state } = buyer.address;
      const isElsewhere = country !== sentTo?.country || state !== sentTo.state;
      if (isElsewhere || (rate !== null && rate !== quote?.shippingOption)) {
        sentTo = { country, state };
        rateId = rate;
        const answer = await price();
        if (!answer.ok) return answer;
      }
      if (!quote || agreed === null) return refused(null);
      if (quote.totals.total !== agreed) return priceChanged(quote.totals.total);
      const body = orderBody(quote, buyer);
      const text = JSON.stringify(body);
      if (asked?.body !== text) asked = { body: text, key: newKey() };
      const answer = await callApi("POST /api/stripe/create-payment-intent", {
        body,
        headers: { "Idempotency-Key": asked.key },
        timeoutMs: orderMs,
      });
      if (answer.ok) return { ok: true, started: answer.body };
      const { error } = answer.problem;
      // That order is over; the next try is a new one.
      if (error === "invalid_state") asked = null;
      if (error !== "price_changed" && error !== "out_of_stock") return refused(answer.problem);
      const now = await price();
      if (!now.ok) return now;
      if (error === "price_changed") return priceChanged(now.price.amount);
      return { ok: false, reason: "fail", message: `There is not enough left in stock. ${nothingCharged}` };
    },
  };
}
export type WalletPurchase = ReturnType<typeof startPurchase>;

/** Once an order is paid, the same goods again are another one. */
export function finishPurchase(): void {
  asked = null;
}

const nothingCharged = "Nothing was charged.";

function priceChanged(amount: number): WalletRefusal {
  const message = `The total is now ${formatCents(amount)}. ${nothingCharged} Please check it and pay again.`;
  return { ok: false, reason: "fail", message };
}

/** A quote as a sheet shows it. */
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
    // A sheet chooses the first by itself.
    rates: [...rates.filter(isChosen), ...rates.filter((rate) => !isChosen(rate))],
  };
}

/** Why a quote cannot be paid; null: it can. */
export function problemOf(
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
  const short = quote.items.find(({ available, quantity }) => available < quantity);
  if (short && short.available === 0) return fail(`${short.name} is sold out.`);
  if (short) return fail(`Only ${short.available} of ${short.name} left.`);
  if (quote.shippingOption === null) {
    const place = country === null ? null : countryName(country);
    const message = place ? `We don’t ship to ${place}.` : "We don’t ship to this country.";
    return { ok: false, reason: "unserviceable", message };
  }
  return null;
}

/** Why the server refused, for the sheet. Null: nothing has been priced yet. */
function refused(problem: ApiProblem | null): WalletRefusal {
  const [path, sentence] = Object.entries(problem?.fields ?? {})[0] ?? [];
  if (path === undefined || sentence === undefined) {
    return { ok: false, reason: "fail", message: problem?.message ?? "The price could not be loaded." };
  }
  const isCountry = path === "shipping.country";
  const reason = isCountry ? "unserviceable" : path.startsWith("shipping.") ? "address" : "fail";
  return { ok: false, reason, message: `${sentence}.` };
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
    discountCode: discount?.code ?? null,
    wallet: true,
  };
}

/** Also where `crypto.randomUUID` is missing, as on a shop tried out without https. */
function newKey(): string {
  return `wallet-${[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`;
}
