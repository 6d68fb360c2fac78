import { describe, expect, test } from "vitest";
import { isOrderLinkTokenValid, orderLinkToken } from "./link-tokens.ts";

const order = { id: "0b6f4f1e-6a0e-4a55-9f0e-2f7f5f0e8d11", events: [] };
const now = new Date("2026-03-01T12:00:00Z");
const token = orderLinkToken("secret", order, now);
const daysLater = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1_000);

describe("the token of an e-mailed order link", () => {
  test("opens its order until 180 days have passed", () => {
    expect(isOrderLinkTokenValid("secret", order, token, now)).toBe(true);
    expect(isOrderLinkTokenValid("secret", order, token, daysLater(179.99))).toBe(true);
    expect(isOrderLinkTokenValid("secret", order, token, daysLater(180))).toBe(false);
  });

  test("opens no other order", () => {
    expect(isOrderLinkTokenValid("secret", { ...order, id: order.id.replace("0b", "0c") }, token, now)).toBe(
      false,
    );
  });

  test("is invalid under another secret", () => {
    expect(isOrderLinkTokenValid("another", order, token, now)).toBe(false);
  });

  test("cannot be extended", () => {
    const [, expiry = "", signature] = token.split(".");
    const later = (Number.parseInt(expiry, 36) + 86_400).toString(36);
    expect(isOrderLinkTokenValid("secret", order, `1.${later}.${signature}`, daysLater(180))).toBe(false);
    expect(isOrderLinkTokenValid("secret", order, `1.${later}.${signature}`, now)).toBe(false);
  });

  test.each(["", "1", "1..", `2${token.slice(1)}`, token.slice(0, -1), `${token}A`, "é".repeat(60)])(
    "is refused if malformed: %j",
    (broken) => {
      expect(isOrderLinkTokenValid("secret", order, broken, now)).toBe(false);
    },
  );
});
