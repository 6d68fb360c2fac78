import { expect, test } from "vitest";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import { contentSecurityPolicy } from "./security-headers.ts";

function directives(payments: PaymentProviderName) {
  const policy = contentSecurityPolicy({ payments }, "<p>", false);
  return Object.fromEntries(
    policy.split("; ").map((directive): [string, string[]] => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

test("pages of a shop that charges through Stripe let its script, its frames and its calls in", () => {
  const policy = directives("stripe");
  expect(policy["script-src"]).toEqual(["'self'", "https://js.stripe.com", "https://*.js.stripe.com"]);
  expect(policy["frame-src"]).toContain("https://hooks.stripe.com");
  expect(policy["connect-src"]).toContain("https://api.stripe.com");
});

test("pages of any other shop let nobody in", () => {
  const policy = directives("sandbox");
  expect(policy["script-src"]).toEqual(["'self'"]);
  expect(policy["frame-src"]).toEqual(["'none'"]);
  expect(policy["connect-src"]).toEqual(["'self'"]);
});
