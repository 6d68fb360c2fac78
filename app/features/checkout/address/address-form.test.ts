import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AddressForm,
  addressFields,
  checkAddressForm,
  emptyAddressForm,
  fieldForPath,
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

test("in the home country all fields except phone and apartment are required", () => {
  expect(Object.keys(checkAddressForm(emptyAddressForm))).toEqual([
    "email",
    "firstName",
    "lastName",
    "line1",
    "city",
    "state",
    "postalCode",
  ]);
});

test("a field with only spaces counts as empty", () => {
  expect(checkAddressForm({ ...complete, city: "   " })).toEqual({ city: "Enter your city" });
});

test.each([
  ["GB", ["postalCode"]],
  ["DE", ["postalCode"]],
  ["AU", ["state", "postalCode"]],
  ["HK", ["state"]],
  ["IE", []],
])("in %s only the parts that local addresses have are required", (country, fields) => {
  expect(Object.keys(checkAddressForm({ ...complete, country, state: "", postalCode: "" }))).toEqual(fields);
});

test("a form with an invalid email address is complete, but has a problem", () => {
  const form = { ...complete, email: "ada@example" };
  expect(checkAddressForm(form).email).toMatch("valid email address");
  expect(isIncomplete(form)).toBe(false);
});

test("an entry that is too long for an order is a problem", () => {
  expect(checkAddressForm({ ...complete, line1: "x".repeat(201) })).toEqual({
    line1: "At most 200 characters",
  });
});

test("a stored form is read back unchanged", () => {
  expect(parseAddressForm(JSON.stringify(complete))).toEqual(complete);
});

test("any stored text, even an invalid one, is read as a form with all fields", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), (text) => {
      expect(Object.keys(parseAddressForm(text)).sort()).toEqual([...addressFields].sort());
    }),
  );
});

test("choosing another country clears a state that the new country does not have", () => {
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
])("the server's path %s maps to the field %s", (path, field) => {
  expect(fieldForPath(path)).toBe(field);
});
