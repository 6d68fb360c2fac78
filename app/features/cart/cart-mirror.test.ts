import fc from "fast-check";
import { expect, test } from "vitest";
import { afterMirrorCall, type CartUnits, nextMirrorCall } from "./cart-mirror.ts";

const cart = fc
  .dictionary(fc.constantFrom("1", "2", "3", "4"), fc.integer({ min: 1, max: 99 }))
  .map((units): CartUnits => new Map(Object.entries(units).map(([id, quantity]) => [Number(id), quantity])));

test("any mirrored cart becomes the target cart with at most two calls per product and one to clear it", () => {
  fc.assert(
    fc.property(fc.option(cart), cart, (start, target) => {
      let mirrored = start;
      let calls = 0;
      for (let call = nextMirrorCall(mirrored, target); call; call = nextMirrorCall(mirrored, target)) {
        mirrored = afterMirrorCall(mirrored, call);
        calls += 1;
        expect(calls).toBeLessThanOrEqual(9);
      }
      expect(mirrored).toEqual(target);
    }),
  );
});

test("a line with fewer units is removed and added again", () => {
  const target = new Map([[1, 2]]);
  const call = nextMirrorCall(new Map([[1, 5]]), target);
  expect(call).toEqual({ call: "remove", productId: 1 });
  expect(call && nextMirrorCall(afterMirrorCall(new Map([[1, 5]]), call), target)).toEqual({
    call: "add",
    productId: 1,
    quantity: 2,
  });
});

test("a mirrored cart whose content is unknown is cleared before it is rebuilt", () => {
  expect(nextMirrorCall(null, new Map([[1, 1]]))).toEqual({ call: "clear" });
});

test("emptying the cart takes one call", () => {
  const mirrored = new Map([
    [1, 1],
    [2, 2],
  ]);
  expect(nextMirrorCall(mirrored, new Map())).toEqual({ call: "clear" });
});
