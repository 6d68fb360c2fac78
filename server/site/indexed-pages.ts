/**
 * All pages for search engines except products; each is in the sitemap and has a share card. `title` equals that of the
 * route's `meta` (checked by a test). `picture`: a master in `assets/images`.
 */
export const indexedPages: readonly IndexedPage[] = [
  { path: "/", title: "Cold-pressed batana oil for hair and skin", picture: "hero-bottle-on-stone.jpg" },
  { path: "/benefits", title: "Benefits of batana oil", picture: "bottle-oil-pool.jpg" },
  { path: "/story", title: "Our Story", picture: "story-palms-dawn.jpg" },
  { path: "/how-to-use", title: "How to use batana oil", picture: "oil-in-palm.jpg" },
  { path: "/reviews", title: "Customer Reviews", picture: "product-front.jpg" },
  { path: "/faq", title: "Questions about batana oil and your order", picture: "dropper-oil-drop.jpg" },
  { path: "/contact", title: "Get in Touch", picture: "bottle-in-hand.jpg" },
  { path: "/shipping-policy", title: "Shipping policy", picture: "open-parcel.jpg" },
  { path: "/returns-policy", title: "Returns policy", picture: "bottle-palm-fruit.jpg" },
  { path: "/privacy", title: "Privacy policy", picture: "bottle-palm-fruit.jpg" },
  { path: "/terms", title: "Terms of sale", picture: "bottle-palm-fruit.jpg" },
];

export type IndexedPage = { path: string; title: string; picture: string };
