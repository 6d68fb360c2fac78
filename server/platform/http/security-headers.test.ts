import { expect, test } from "vitest";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import { contentSecurityPolicy, pagePermissions } from "./security-headers.ts";

function policyDirectives(payments: PaymentProviderName, path: string) {
  const policy = contentSecurityPolicy(payments, { path, scriptHashes: [], isDevelopment: false });
  return Object.fromEntries(
    policy.split("; ").map((directive): [string, string[]] => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}
const paymentPermission = (payments: PaymentProviderName, path: string) =>
  /payment=\((.*)\)/.exec(pagePermissions(payments, path))?.[1];

test.each(["/product/pure-batana-oil", "/cart", "/checkout"])(
  "on pages that take payments, a shop with Stripe allows Stripe's scripts and frames: %s",
  (path) => {
    const policy = policyDirectives("stripe", path);
    expect(policy["script-src"]).toEqual(["'self'", "https://js.stripe.com", "https://*.js.stripe.com"]);
    expect(policy["frame-src"]).toContain("https://hooks.stripe.com");
    expect(policy["connect-src"]).toContain("https://api.stripe.com");
    expect(paymentPermission("stripe", path)).toBe('self "https://js.stripe.com" "https://*.js.stripe.com"');
  },
);

test.each([
  ["stripe", "/"],
  ["stripe", "/products"],
  ["stripe", "/checkout/success"],
  ["stripe", "/admin/orders"],
  ["sandbox", "/cart"],
  ["sandbox", "/checkout"],
] as const)("a page without Stripe payments allows no foreign script or frame: %s, %s", (payments, path) => {
  const policy = policyDirectives(payments, path);
  expect(policy["script-src"]).toEqual(["'self'"]);
  expect(policy["frame-src"]).toEqual(["'none'"]);
  expect(policy["connect-src"]).toEqual(["'self'"]);
  expect(paymentPermission(payments, path)).toBe("");
});

test("only the page that scans barcodes may use the camera", () => {
  const cameraPermission = (path: string) => /camera=\((.*?)\)/.exec(pagePermissions("stripe", path))?.[1];
  expect(["/admin/ship-next", "/admin/orders", "/checkout"].map(cameraPermission)).toEqual(["self", "", ""]);
});
