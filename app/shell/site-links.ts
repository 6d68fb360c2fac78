/** Where the header leads; the footer and the mobile menu repeat it. */
export const mainLinks = [
  { to: "/benefits", label: "Benefits" },
  { to: "/how-to-use", label: "How to Use" },
];

export const learnLinks = [...mainLinks, { to: "/story", label: "Our Story" }];

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
