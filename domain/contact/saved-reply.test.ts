import { expect, test } from "vitest";
import { fillReply, firstUnfilledPlaceholder, parseFirstName } from "./saved-reply.ts";

test("a saved reply is filled in; placeholders without a value are kept", () => {
  const text = "Hello {first name}, your order {Order number} is on its way.";
  expect(fillReply(text, { firstName: "Ada", orderNumber: 1042 })).toBe(
    "Hello Ada, your order #1042 is on its way.",
  );
  const partlyFilled = fillReply(text, { firstName: "Ada", orderNumber: null });
  expect([partlyFilled, firstUnfilledPlaceholder(partlyFilled)]).toEqual([
    "Hello Ada, your order {order number} is on its way.",
    "{order number}",
  ]);
  expect(firstUnfilledPlaceholder("Use {this} as it is")).toBe(null);
});

test.each([
  ["Ada Obi", "Ada"],
  ["  Zoë ", "Zoë"],
  ["Jean-Luc P.", "Jean-Luc"],
  ["J. Smith", null],
  ["ada@example.com", null],
])("the first name of %s is %s", (name, first) => {
  expect(parseFirstName(name)).toBe(first);
});
