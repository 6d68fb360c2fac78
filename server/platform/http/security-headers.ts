import { isPaymentPage } from "../../../domain/payments/payment-pages.ts";
import type { PaymentProviderName } from "../../../domain/payments/providers.ts";
import type { Config } from "../config.ts";

// Hosts listed by Stripe's security guide for Stripe.js, and for Link, which the Payment Element always offers.
const stripeScripts = ["https://js.stripe.com", "https://*.js.stripe.com"];
const stripeLink = ["https://link.com", "https://*.link.com"];
const stripeFrames = [...stripeScripts, "https://hooks.stripe.com", ...stripeLink];
const stripeConnections = ["https://api.stripe.com", ...stripeLink];

const scanningPage = "/admin/ship-next";

/** Headers of every response that does not set its own. */
export function securityHeaders(config: Pick<Config, "publicUrl">): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
    "Permissions-Policy": permissions(""),
    ...(config.publicUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

/**
 * Browser features that a page may use: wallets, on pages with Stripe's form; the camera, on the page that scans bar codes.
 */
export function pagePermissions(payments: PaymentProviderName, path: string): string {
  const hasStripe = payments === "stripe" && isPaymentPage(path);
  return permissions(
    hasStripe ? `self ${stripeScripts.map((host) => `"${host}"`).join(" ")}` : "",
    path === scanningPage ? "self" : "",
  );
}

function permissions(payment: string, camera = ""): string {
  return `camera=(${camera}), microphone=(), geolocation=(), browsing-topics=(), payment=(${payment})`;
}

/**
 * Policy of a page: permits scripts from this host and the shop's inline scripts in `scriptHashes` (`'sha256-...'`), and
 * Stripe's hosts only on pages with Stripe's forms.
 */
export function contentSecurityPolicy(
  payments: PaymentProviderName,
  {
    path,
    scriptHashes,
    isDevelopment,
  }: { path: string; scriptHashes: readonly string[]; isDevelopment: boolean },
): string {
  const hasStripe = payments === "stripe" && isPaymentPage(path);
  const scripts = isDevelopment ? ["'unsafe-inline'"] : scriptHashes;
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...scripts, ...(hasStripe ? stripeScripts : [])].join(" ")}`,
    // In development, Vite injects styles as elements.
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ""}`,
    // Style attributes only: they cannot run code or affect other elements.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    // A product's video may be hosted anywhere.
    "media-src https:",
    "font-src 'self'",
    `connect-src ${["'self'", ...(hasStripe ? stripeConnections : []), ...(isDevelopment ? ["ws:"] : [])].join(" ")}`,
    `frame-src ${hasStripe ? stripeFrames.join(" ") : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    // Without JavaScript, the address form and the form of a payment link are redirected to Stripe's payment page.
    `form-action 'self'${hasStripe || path.startsWith("/pay/") ? " https://checkout.stripe.com" : ""}`,
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Policy of responses that are not pages. */
export const inertContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";
