import type { ImportKind } from "../../../../domain/imports/import.ts";

type ImportTexts = {
  title: string;
  /** The page that links here. */
  back: { to: string; label: string };
  lead: string;
  rules: readonly string[];
  /** Columns of the shop's own layout; the first ones are needed. */
  columns: { needed: string; others?: string };
  /** Other programs whose export files can be imported without changes. */
  recognized?: string;
};

export const importTexts: Record<ImportKind, ImportTexts> = {
  products: {
    title: "Import products",
    back: { to: "/admin/products", label: "Manage Products" },
    lead: "Adds products with their sizes, and changes those that exist.",
    rules: [
      "Rows of one name are sizes of one another.",
      "New products stay hidden unless the file says they are published.",
      "Those that exist are found by SKU, or by name and size. They keep stock, name and whether they are published.",
    ],
    columns: {
      needed: "Name and Price",
      others:
        "Size, SKU, Compare-at price, Cost, Bar code, Weight (g), HS code, Country of origin, Short description, Description, Stock, Published (yes or no)",
    },
    recognized: "The product exports of Shopify and WooCommerce",
  },
  stock: {
    title: "Import stock counts",
    back: { to: "/admin/products", label: "Manage Products" },
    lead: "Sets the units on the shelf, like “Counted again” in a product’s stock.",
    rules: ["Units sold between the check and the import are taken off the count."],
    columns: { needed: "SKU (or Product) and Count", others: "Size, beside Product" },
    recognized: "Shopify’s inventory export",
  },
  customers: {
    title: "Import customers",
    back: { to: "/admin/customers", label: "Customers" },
    lead: "Adds people to the customers, and name, phone, place, tags and notes to those who are customers already.",
    rules: [
      "Nothing that their orders say is replaced.",
      "Nobody gets an email.",
      "People who buy nothing here within two years are deleted.",
    ],
    columns: {
      needed: "Email",
      others:
        "Name (or First name and Last name), Phone, City, Country, Tags (with commas), Note; with Consent date and Consent proof they are subscribed to the newsletter",
    },
    recognized: "The customer exports of Shopify and WooCommerce",
  },
  subscribers: {
    title: "Import subscribers",
    back: { to: "/admin/subscribers", label: "Subscribers" },
    lead: "Subscribes people who have agreed to your newsletter elsewhere, without an email to them.",
    rules: [
      "The law wants a date and a proof of each consent: rows without them are refused.",
      "Nobody is subscribed who has left, bounced or had all data deleted here.",
    ],
    columns: {
      needed: "Email, Consent date and Consent proof (the words agreed to, or how and where)",
    },
    recognized: "The exports of Mailchimp and of WooCommerce’s MailPoet",
  },
  discounts: {
    title: "Import discount codes",
    back: { to: "/admin/discounts", label: "Discounts" },
    lead: "Adds new codes, and changes codes that exist.",
    rules: ["A column that the file lacks leaves existing codes as they are."],
    columns: {
      needed: "Code and Type (percent, amount or free shipping)",
      others:
        "Value, Minimum, Starts, Ends (the last day), Uses, Uses per customer, First order only (yes or no), On (yes or no)",
    },
  },
};
