import fc from "fast-check";
import { expect, test } from "vitest";
import { afterMirrorCall, type CartUnits, nextMirrorCall } from "./cart-changes.ts";

const cart = fc
  .dictionary(fc.constantFrom("1", "2", "3", "4"), fc.integer({ min: 1, max: 99 }))
  .map((units): CartUnits => new Map(Object.entries(units).map(([id, quantity]) => [Number(id), quantity])));

test("calls lead from any mirrored cart to the wanted one within two calls a product", () => {
  fc.assert(
    fc.property(fc.option(cart), cart, (start, wanted) => {
      let mirrored = start;
      let calls = 0;
      for (let call = nextMirrorCall(mirrored, wanted); call; call = nextMirrorCall(mirrored, wanted)) {
        mirrored = afterMirrorCall(mirrored, call);
        calls += 1;
        expect(calls).toBeLessThanOrEqual(9);
      }
      expect(mirrored).toEqual(wanted);
    }),
  );
});

test("a line with fewer units is dropped and added again, for the server can only add", () => {
  const wanted = new Map([[1, 2]]);
  const call = nextMirrorCall(new Map([[1, 5]]), wanted);
  expect(call).toEqual({ call: "remove", productId: 1 });
  expect(call && nextMirrorCall(afterMirrorCall(new Map([[1, 5]]), call), wanted)).toEqual({
    call: "add",
    productId: 1,
    quantity: 2,
  });
});

test("an unknown copy is cleared before it is made anew", () => {
  expect(nextMirrorCall(null, new Map([[1, 1]]))).toEqual({ call: "clear" });
});

test("an emptied cart is one call", () => {
  const mirrored = new Map([
    [1, 1],
    [2, 2],
  ]);
  expect(nextMirrorCall(mirrored, new Map())).toEqual({ call: "clear" });
});
