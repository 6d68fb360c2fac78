import type { FrameData } from "./footer.tsx";

/** Where header and mobile menu lead: first to what is sold, as long as something is. */
export function mainLinks(frame: FrameData | undefined) {
  const [product] = frame?.products ?? [];
  return [...(product ? [{ to: `/product/${product.slug}`, label: "Shop" }] : []), ...wordLinks];
}

const wordLinks = [
  { to: "/benefits", label: "Benefits" },
  { to: "/how-to-use", label: "How to Use" },
];

/** In the footer. */
export const learnLinks = [...wordLinks, { to: "/story", label: "Our Story" }];

/** In the Shop column, below the products. */
export const shopLinks = [
  { to: "/reviews", label: "Reviews" },
  { to: "/orders", label: "My Orders" },
  { to: "/account", label: "Your account" },
];

export const helpLinks = [
  { to: "/contact-simple", label: "Contact Us" },
  { to: "/contact#faq", label: "FAQ" },
  { to: "/shipping-policy", label: "Shipping policy" },
  { to: "/returns-policy", label: "Returns policy" },
];

/** In the last line. */
export const legalLinks = [
  { to: "/privacy", label: "Privacy" },
  { to: "/terms", label: "Terms" },
];
