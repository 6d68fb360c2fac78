import * as v from "valibot";
import { expect, test } from "vitest";
import { emailSchema } from "../shared/email-address.ts";
import { checkoutRequestSchema } from "./checkout.ts";

const line = { productId: 1, quantity: 1, price: 2995 };
const metadata = {
  email: "ada@example.com",
  customerName: "Ada Obi",
  phone: "",
  shippingAddress: "1 Main St, Austin, TX 78701, United States",
};
const shipping = { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "us" };
const body = {
  amount: 3590,
  orderItems: [line],
  metadata,
  shipping,
  shippingOption: "us-standard",
  discountCode: null,
};

function checkoutProblems(request: unknown): Record<string, string> {
  const result = v.safeParse(checkoutRequestSchema, request);
  return Object.fromEntries(result.issues?.map((issue) => [v.getDotPath(issue), issue.message]) ?? []);
}

test("parsing a request trims blanks, omits empty options and turns the country into its code", () => {
  const request = v.parse(checkoutRequestSchema, {
    ...body,
    metadata: { ...metadata, customerName: " Ada Obi " },
  });
  expect(request.metadata).toMatchObject({ customerName: "Ada Obi", phone: null, country: null });
  expect(request.shipping).toMatchObject({ country: "US", line2: null });
});

test("a request without the fields that were added later is valid, since older clients send it", () => {
  expect(v.parse(checkoutRequestSchema, { amount: 3590, orderItems: [line], metadata })).toMatchObject({
    shipping: null,
    shippingOption: null,
    discountCode: null,
  });
});

test.each([undefined, null, "", " "])(
  "an address without a state (%j) is complete in countries without states",
  (state) => {
    const address = { ...shipping, city: "Singapore", country: "SG", state };
    expect(v.parse(checkoutRequestSchema, { ...body, shipping: address }).shipping).toMatchObject({
      state: "",
    });
    expect(checkoutProblems({ ...body, shipping: { ...shipping, state } })).toEqual({
      "shipping.state": "Enter your state or province",
    });
  },
);

test("entries of maximum length are accepted", () => {
  const longest = {
    ...body,
    orderItems: Array.from({ length: 50 }, () => ({ ...line, quantity: 99 })),
    metadata: {
      ...metadata,
      customerName: "x".repeat(200),
      phone: "5".repeat(40),
      shippingAddress: "x".repeat(1000),
    },
    shipping: {
      ...shipping,
      line1: "x".repeat(200),
      line2: "x".repeat(200),
      city: "x".repeat(100),
      state: "x".repeat(100),
      postalCode: "x".repeat(20),
    },
    shippingOption: "x".repeat(40),
    discountCode: "x".repeat(40),
  };
  expect(checkoutProblems(longest)).toEqual({});
});

test.each<[string, object, string, string]>([
  ["no lines", { orderItems: [] }, "orderItems", "The cart is empty"],
  ["51 lines", { orderItems: Array(51).fill(line) }, "orderItems", "At most 50 lines"],
  ["no units", { orderItems: [{ ...line, quantity: 0 }] }, "orderItems.0.quantity", "Must be 1 or more"],
  ["100 units", { orderItems: [{ ...line, quantity: 100 }] }, "orderItems.0.quantity", "At most 99"],
  [
    "half a unit",
    { orderItems: [{ ...line, quantity: 1.5 }] },
    "orderItems.0.quantity",
    "Must be a whole number",
  ],
  [
    "units as text",
    { orderItems: [{ ...line, quantity: "1" }] },
    "orderItems.0.quantity",
    "Must be a number",
  ],
  ["product 0", { orderItems: [{ ...line, productId: 0 }] }, "orderItems.0.productId", "Must be 1 or more"],
  [
    "a product id beyond the database's",
    { orderItems: [{ ...line, productId: 2 ** 31 }] },
    "orderItems.0.productId",
    "Too large",
  ],
  [
    "a price in dollars",
    { orderItems: [{ ...line, price: 29.95 }] },
    "orderItems.0.price",
    "Must be whole cents",
  ],
  ["a negative amount", { amount: -1 }, "amount", "Must not be negative"],
  ["an amount in dollars", { amount: 35.9 }, "amount", "Must be whole cents"],
  [
    "a blank name",
    { metadata: { ...metadata, customerName: "  " } },
    "metadata.customerName",
    "Enter your name",
  ],
  [
    "a name of 201",
    { metadata: { ...metadata, customerName: "x".repeat(201) } },
    "metadata.customerName",
    "At most 200 characters",
  ],
  [
    "a phone of 41",
    { metadata: { ...metadata, phone: "5".repeat(41) } },
    "metadata.phone",
    "At most 40 characters",
  ],
  [
    "no address",
    { metadata: { ...metadata, shippingAddress: "" } },
    "metadata.shippingAddress",
    "Enter your address",
  ],
  [
    "a street of 201",
    { shipping: { ...shipping, line1: "x".repeat(201) } },
    "shipping.line1",
    "At most 200 characters",
  ],
  [
    "an unknown country",
    { shipping: { ...shipping, country: "XX" } },
    "shipping.country",
    "Choose a country from the list",
  ],
  ["an option's name of 41", { shippingOption: "x".repeat(41) }, "shippingOption", "At most 40 characters"],
  ["a code of 41", { discountCode: "x".repeat(41) }, "discountCode", "At most 40 characters"],
])("a request with %s is refused at its field", (_name, change, path, message) => {
  expect(checkoutProblems({ ...body, ...change })).toEqual({ [path]: message });
});

test.each([
  "a@b.co",
  "ada+oil@mail.example.com",
  "o'neil@example.com",
  "жук@пример.рф",
  `${"a".repeat(242)}@example.com`,
])("%s is an e-mail address", (address) => {
  expect(v.is(emailSchema, address)).toBe(true);
});

test.each([
  "",
  "ada",
  "ada@example",
  "@example.com",
  "ada@",
  "ada@@example.com",
  "ada@example..com",
  "ada@.example.com",
  "ada@example.com.",
  "ada obi@example.com",
  "ada@example.com, eve@example.com",
  "ada@example.com\nBcc: eve@example.com",
  "Ada <ada@example.com>",
  `${"a".repeat(243)}@example.com`,
])("%j is not an e-mail address", (address) => {
  expect(v.is(emailSchema, address)).toBe(false);
});

test.each([
  "ada@example.com\u200b",
  "\ufeffada@example.com",
  "ada@exam\u00adple.com",
  "\u2060ada@example.com ",
])("invisible characters copied with an e-mail address are removed: %j", (address) => {
  expect(v.parse(emailSchema, address)).toBe("ada@example.com");
});

test("full-width dots of an e-mail address become plain dots", () => {
  expect(v.parse(emailSchema, "ada@mail.example\u3002com")).toBe("ada@mail.example.com");
  expect(v.parse(emailSchema, "ada@mail\uff0eexample\uff61co.uk")).toBe("ada@mail.example.co.uk");
});

test.each(["\u200b", "\u200b@example.com", "ada@\u200b.com"])(
  "%j is not an e-mail address, even without its invisible characters",
  (address) => {
    expect(v.is(emailSchema, address)).toBe(false);
  },
);
