import { expect, test } from "vitest";
import { joinAddress, type ShippingAddress } from "./order.ts";

const address: ShippingAddress = {
  line1: "1 Main St",
  line2: null,
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  country: "US",
};

test("an address is joined on one line", () => {
  expect(joinAddress(address, "United States")).toBe("1 Main St, Austin, TX 78701, United States");
  expect(joinAddress({ ...address, line2: "Apt 2" }, "United States")).toBe(
    "1 Main St, Apt 2, Austin, TX 78701, United States",
  );
});

test("missing parts of an address leave no gap", () => {
  expect(joinAddress({ ...address, state: "", postalCode: "" }, "Hong Kong")).toBe(
    "1 Main St, Austin, Hong Kong",
  );
  expect(joinAddress({ ...address, state: "" }, "France")).toBe("1 Main St, Austin, 78701, France");
});
