import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AddressForm,
  addressFieldOf,
  addressFields,
  checkAddressForm,
  emptyAddressForm,
  isIncomplete,
  parseAddressForm,
  withCountry,
} from "./address-form.ts";

const complete: AddressForm = {
  ...emptyAddressForm,
  firstName: "Ada",
  lastName: "Obi",
  email: "ada@example.com",
  phone: "",
  country: "US",
  line1: "1 Main St",
  line2: "",
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  shippingOption: "us-standard",
};

test("a complete form has no problems", () => {
  expect(checkAddressForm(complete)).toEqual({});
  expect(isIncomplete(complete)).toBe(false);
});

test("everything but phone and apartment is required at home", () => {
  expect(Object.keys(checkAddressForm(emptyAddressForm))).toEqual([
    "firstName",
    "lastName",
    "email",
    "line1",
    "city",
    "state",
    "postalCode",
  ]);
});

test("blanks do not fill a field", () => {
  expect(checkAddressForm({ ...complete, city: "   " })).toEqual({ city: "Enter your city" });
});

test.each([
  ["GB", ["postalCode"]],
  ["DE", ["postalCode"]],
  ["AU", ["state", "postalCode"]],
  ["HK", ["state"]],
  ["IE", []],
])("in %s the parts that its addresses have are required", (country, fields) => {
  expect(Object.keys(checkAddressForm({ ...complete, country, state: "", postalCode: "" }))).toEqual(fields);
});

test("a wrong email address is a problem, but nothing is missing", () => {
  const form = { ...complete, email: "ada@example" };
  expect(checkAddressForm(form).email).toMatch("valid email address");
  expect(isIncomplete(form)).toBe(false);
});

test("an entry longer than an order keeps is a problem", () => {
  expect(checkAddressForm({ ...complete, line1: "x".repeat(201) })).toEqual({
    line1: "At most 200 characters",
  });
});

test("a kept form comes back as it was", () => {
  expect(parseAddressForm(JSON.stringify(complete))).toEqual(complete);
});

test("whatever was kept, a form comes out of it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), (text) => {
      expect(Object.keys(parseAddressForm(text)).sort()).toEqual([...addressFields].sort());
    }),
  );
});

test("another country takes back a state it does not have", () => {
  expect(withCountry(complete, "CA").state).toBe("");
  expect(withCountry(complete, "FR").state).toBe("");
  expect(withCountry({ ...complete, country: "FR", state: "Bretagne" }, "FR").state).toBe("Bretagne");
});

test.each([
  ["metadata.email", "email"],
  ["metadata.customerName", "firstName"],
  ["shipping.postalCode", "postalCode"],
  ["shippingOption", "shippingOption"],
  ["orderItems.0.productId", null],
])("the server's path %s is the field %s", (path, field) => {
  expect(addressFieldOf(path)).toBe(field);
});
