import type { ImportKind } from "../../../../domain/imports/import.ts";

type ImportTexts = {
  title: string;
  /** The page that links here. */
  back: { to: string; label: string };
  lead: string;
  rules: readonly string[];
  /** Columns of the shop's own layout. */
  columns: { required: string; optional?: string };
  /** Other programs whose export files can be imported without changes. */
  recognized?: string;
};

export const importTexts: Record<ImportKind, ImportTexts> = {
  products: {
    title: "Import products",
    back: { to: "/admin/products", label: "Manage Products" },
    lead: "Adds new products with their sizes, and changes the ones you have.",
    rules: [
      "Rows with the same name are sizes of one product.",
      "New products stay hidden unless the file says yes under Published.",
      "Your products are found by SKU, or by name and size. They keep their name and stock, and stay published or hidden.",
    ],
    columns: {
      required: "Name and Price",
      optional:
        "Size, SKU, Compare-at price, Cost, Bar code, Weight (g), HS code, Country of origin, Short description, Description, Stock, Published (yes or no)",
    },
    recognized: "The product exports of Shopify and WooCommerce",
  },
  stock: {
    title: "Import stock counts",
    back: { to: "/admin/products", label: "Manage Products" },
    lead: "Sets the units on the shelf, like “Counted again” in a product’s stock.",
    rules: ["Units sold between the check and the import are taken off the count."],
    columns: { required: "SKU (or Product) and Count", optional: "Size, beside Product" },
    recognized: "Shopify’s inventory export",
  },
  customers: {
    title: "Import customers",
    back: { to: "/admin/customers", label: "Customers" },
    lead: "Adds new customers, and fills in name, phone, place, tags and notes of the ones you have.",
    rules: [
      "Nothing from their orders is overwritten.",
      "Nobody gets an email.",
      "Anyone who doesn’t order within two years is deleted.",
    ],
    columns: {
      required: "Email",
      optional:
        "Name (or First name and Last name), Phone, City, Country, Tags (with commas), Note; with Consent date and Consent proof they are subscribed to the newsletter",
    },
    recognized: "The customer exports of Shopify and WooCommerce",
  },
  subscribers: {
    title: "Import subscribers",
    back: { to: "/admin/subscribers", label: "Subscribers" },
    lead: "Subscribes people who agreed to your newsletter elsewhere. They get no email about it.",
    rules: [
      "The law asks for the date and proof of each consent. Rows without them are refused.",
      "People who unsubscribed, bounced or had their data deleted here stay off the list.",
    ],
    columns: {
      required: "Email, Consent date and Consent proof (the words agreed to, or how and where)",
    },
    recognized: "The exports of Mailchimp and of WooCommerce’s MailPoet",
  },
  discounts: {
    title: "Import discount codes",
    back: { to: "/admin/discounts", label: "Discounts" },
    lead: "Adds new codes, and changes the ones you have.",
    rules: ["Columns missing from the file leave your codes unchanged."],
    columns: {
      required: "Code and Type (percent, amount or free shipping)",
      optional:
        "Value, Minimum, Starts, Ends (the last day), Uses, Uses per customer, First order only (yes or no), On (yes or no)",
    },
    recognized:
      "Shopify’s discount export, and WooCommerce’s coupons as Smart Coupons or WebToffee export them",
  },
};
