import { expect, test } from "vitest";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import { contentSecurityPolicy, pagePermissions } from "./security-headers.ts";

function directives(payments: PaymentProviderName, path: string) {
  const policy = contentSecurityPolicy(payments, { path, scriptHashes: [], isDevelopment: false });
  return Object.fromEntries(
    policy.split("; ").map((directive): [string, string[]] => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}
const paymentOf = (payments: PaymentProviderName, path: string) =>
  /payment=\((.*)\)/.exec(pagePermissions(payments, path))?.[1];

test.each(["/product/pure-batana-oil", "/cart", "/checkout"])(
  "on pages that take payments, a shop with Stripe allows Stripe's scripts and frames: %s",
  (path) => {
    const policy = directives("stripe", path);
    expect(policy["script-src"]).toEqual(["'self'", "https://js.stripe.com", "https://*.js.stripe.com"]);
    expect(policy["frame-src"]).toContain("https://hooks.stripe.com");
    expect(policy["connect-src"]).toContain("https://api.stripe.com");
    expect(paymentOf("stripe", path)).toBe('self "https://js.stripe.com" "https://*.js.stripe.com"');
  },
);

test.each([
  ["stripe", "/"],
  ["stripe", "/products"],
  ["stripe", "/checkout/success"],
  ["stripe", "/admin/orders"],
  ["sandbox", "/cart"],
  ["sandbox", "/checkout"],
] as const)("other pages allow no foreign script or frame: %s, %s", (payments, path) => {
  const policy = directives(payments, path);
  expect(policy["script-src"]).toEqual(["'self'"]);
  expect(policy["frame-src"]).toEqual(["'none'"]);
  expect(policy["connect-src"]).toEqual(["'self'"]);
  expect(paymentOf(payments, path)).toBe("");
});

test("only the page that scans barcodes may use the camera", () => {
  const cameraOf = (path: string) => /camera=\((.*?)\)/.exec(pagePermissions("stripe", path))?.[1];
  expect(["/admin/ship-next", "/admin/orders", "/checkout"].map(cameraOf)).toEqual(["self", "", ""]);
});
