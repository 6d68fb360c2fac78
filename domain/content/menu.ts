import * as v from "valibot";
import { editedTextEntries, textChangeSchema, textVersionsSchema } from "./versions.ts";

/** Stands for the first published product. */
export const firstProduct = "first-product";

/** The shop's own pages that a link may lead to. */
export const menuPages: readonly { to: string; name: string }[] = [
  { to: "/", name: "Home" },
  { to: firstProduct, name: "The first product on sale" },
  { to: "/benefits", name: "Benefits" },
  { to: "/how-to-use", name: "How to use" },
  { to: "/story", name: "Our Story" },
  { to: "/reviews", name: "Reviews" },
  { to: "/orders", name: "My Orders" },
  { to: "/account", name: "My Account" },
  { to: "/cart", name: "Cart" },
  { to: "/contact", name: "Contact and questions" },
  { to: "/faq", name: "FAQ" },
  { to: "/contact#faq", name: "Questions on the contact page" },
  { to: "/contact-simple", name: "Contact form" },
  { to: "/shipping-policy", name: "Shipping Policy" },
  { to: "/returns-policy", name: "Returns Policy" },
  { to: "/privacy", name: "Privacy policy" },
  { to: "/terms", name: "Terms of sale" },
];

/** Required in the footer: one link of each list. */
export const neededInFooter: readonly { name: string; oneOf: readonly string[] }[] = [
  { name: "Shipping Policy", oneOf: ["/shipping-policy"] },
  { name: "Returns Policy", oneOf: ["/returns-policy"] },
  { name: "Privacy policy", oneOf: ["/privacy"] },
  { name: "Terms of sale", oneOf: ["/terms"] },
  { name: "My Orders", oneOf: ["/orders"] },
  { name: "a contact page", oneOf: ["/contact-simple", "/contact", "/contact#faq"] },
];

/** Limits of each place of links, so that header and footer fit every screen. `label`: characters of one label. */
export const menuLimits = {
  header: { links: 5, label: 20, totalCharacters: 40 },
  phone: { links: 6, label: 24, totalCharacters: null },
  column: { links: 7, label: 32, totalCharacters: null },
  legal: { links: 5, label: 20, totalCharacters: 60 },
  columnTitle: 20,
  /** Maximum length of a single word, which cannot be wrapped. */
  word: 14,
} as const;

const linkSchema = v.strictObject({
  label: v.pipe(v.string("Must be text"), v.trim(), v.maxLength(60, "At most 60 characters")),
  /** A page's path, `first-product`, or an https URL. */
  to: v.pipe(v.string("Must be text"), v.trim(), v.maxLength(300, "At most 300 characters")),
  isHidden: v.boolean(),
});
export type MenuLink = v.InferOutput<typeof linkSchema>;

const linksSchema = v.pipe(v.array(linkSchema), v.maxLength(20, "At most 20 links"));

export const menuSchema = v.strictObject({
  header: linksSchema,
  /** Below the header's links in the phone menu. */
  phone: linksSchema,
  /** Three columns. The products are listed at the top of the first one. */
  footer: v.pipe(
    v.array(
      v.strictObject({
        title: v.pipe(v.string("Must be text"), v.trim(), v.maxLength(60, "At most 60 characters")),
        links: linksSchema,
      }),
    ),
    v.length(3, "Three columns"),
  ),
  legal: linksSchema,
});
export type Menu = v.InferOutput<typeof menuSchema>;

export type ShownLink = { to: string; label: string };
export type ShownMenu = {
  header: ShownLink[];
  phone: ShownLink[];
  footer: { title: string; links: ShownLink[] }[];
  legal: ShownLink[];
};

export const menuChangeSchema = textChangeSchema(menuSchema);
export const menuPreviewSchema = v.strictObject({ text: menuSchema });

export const editedMenuSchema = v.object({
  ...editedTextEntries(menuSchema),
  /** Possible targets of links, besides https URLs. */
  targets: v.array(v.object({ to: v.string(), name: v.string() })),
});
export type EditedMenu = v.InferOutput<typeof editedMenuSchema>;

export const menuVersionsSchema = textVersionsSchema(menuSchema);

export const checkedMenuSchema = v.object({
  /** `header.1.label` and the like -> problem that prevents publishing. */
  problems: v.record(v.string(), v.string()),
});
