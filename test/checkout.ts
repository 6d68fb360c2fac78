import type { ApiResponse, TestBrowser } from "./shop.ts";

export const goodCard = { number: "4242424242424242", expMonth: 12, expYear: 2040, cvc: "123" };
export const declinedCard = { ...goodCard, number: "4000000000000002" };

type Overrides = {
  quantity?: number;
  price?: number;
  amount?: number;
  email?: string;
  phone?: string;
  country?: string;
  shippingOption?: string | null;
  discountCode?: string;
  items?: { productId: number; quantity: number; price: number }[];
};

/** A body for create-payment-intent: by default one bottle to Austin for $35.90. */
export function checkoutBody({
  quantity = 1,
  price = 2995,
  items = [{ productId: 1, quantity, price }],
  email = "ada@example.com",
  phone = "",
  ...rest
}: Overrides = {}) {
  const subtotal = items.reduce((sum, item) => sum + item.price * item.quantity, 0);
  const shipping = subtotal >= 5000 ? 0 : 595;
  return {
    amount: rest.amount ?? subtotal + shipping,
    orderItems: items,
    metadata: {
      email,
      customerName: "Ada Obi",
      phone,
      shippingAddress: "1 Main St, Austin, TX 78701, United States",
    },
    shipping: {
      line1: "1 Main St",
      city: "Austin",
      state: "TX",
      postalCode: "78701",
      country: rest.country ?? "US",
    },
    shippingOption: rest.shippingOption === undefined ? "us-standard" : rest.shippingOption,
    discountCode: rest.discountCode ?? null,
  };
}

export function order(
  browser: TestBrowser,
  overrides: Overrides = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return browser.post("/api/stripe/create-payment-intent", checkoutBody(overrides), headers);
}

/** Pays an order in the sandbox. */
export function confirm(
  browser: TestBrowser,
  started: ApiResponse,
  card: typeof goodCard = goodCard,
  authentication?: "pass" | "fail",
): Promise<ApiResponse> {
  return browser.post(`/api/sandbox/payment-intents/${started.body.paymentIntentId}/confirm`, {
    clientSecret: started.body.clientSecret,
    card,
    ...(authentication ? { authentication } : {}),
  });
}
