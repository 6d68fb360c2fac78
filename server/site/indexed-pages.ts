/**
 * Every page that anybody may find, but the products': the sitemap lists them, and each has a card. `title` is the
 * page's own (see its route's `meta`); a test holds them together. `picture`: a master in `assets/images`.
 */
export const indexedPages: readonly IndexedPage[] = [
  { path: "/", title: "Cold-pressed batana oil for hair and skin", picture: "hero-bottle-on-stone.jpg" },
  { path: "/benefits", title: "Benefits of batana oil", picture: "bottle-oil-pool.jpg" },
  { path: "/story", title: "Our Story", picture: "story-palms-dawn.jpg" },
  { path: "/how-to-use", title: "How to use batana oil", picture: "oil-in-palm.jpg" },
  { path: "/reviews", title: "Customer Reviews", picture: "product-front.jpg" },
  { path: "/contact", title: "Get in Touch", picture: "bottle-in-hand.jpg" },
  { path: "/shipping-policy", title: "Shipping policy", picture: "open-parcel.jpg" },
  { path: "/returns-policy", title: "Returns policy", picture: "bottle-palm-fruit.jpg" },
  { path: "/privacy", title: "Privacy policy", picture: "bottle-palm-fruit.jpg" },
  { path: "/terms", title: "Terms of sale", picture: "bottle-palm-fruit.jpg" },
];

export type IndexedPage = { path: string; title: string; picture: string };
