import { sizeBeside } from "../../../../domain/catalog/size-name.ts";
import { orderStatusLabel } from "../../../../domain/orders/order-status.ts";
import type { Found } from "../../../../domain/overview/find.ts";
import { findSettings } from "../settings/settings-pages.ts";
import { adminTabs } from "../shell/tabs.ts";

/** Something to go to: its name, what tells it from others, and its address. */
export type Entry = { group: string; label: string; detail: string; to: string };

/** Frequent actions with their addresses; `words`: further search terms. */
const actions = [
  { label: "Orders to ship", to: "/admin/orders?status=to_ship", words: "pack queue parcels" },
  { label: "Ship next order", to: "/admin/ship-next", words: "scan pack tracking" },
  { label: "Orders that need attention", to: "/admin/orders?status=attention", words: "issues problems" },
  { label: "Open returns", to: "/admin/orders?status=returns", words: "withdrawal send back" },
  { label: "Add a product", to: "/admin/products/new", words: "new create" },
  { label: "Best customers", to: "/admin/customers?sort=value", words: "value vip" },
  { label: "Record a donation", to: "/admin/donations", words: "giving charity" },
  { label: "Sent emails and texts", to: "/admin/messages/sent", words: "outbox failed mail" },
  { label: "Backups", to: "/admin/backups", words: "restore save" },
  { label: "Background jobs", to: "/admin/jobs", words: "failed tasks queue" },
  { label: "Open sessions", to: "/admin/sessions", words: "log out browsers devices" },
];

/** Pages, actions and settings that have every typed word; with nothing typed the pages and what is done most. */
export function staticEntries(q: string, mayOpen: (page: string) => boolean): Entry[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const mayGo = (to: string) => mayOpen(to.split("?")[0] ?? to);
  const pages = adminTabs
    .filter(({ to, label }) => mayGo(to) && fits(label))
    .map(({ to, label }) => ({ group: "Pages", label, detail: "", to }));
  const things = actions
    .filter(({ to, label, words }) => mayGo(to) && fits(`${label} ${words}`))
    .map(({ to, label }) => ({ group: "Actions", label, detail: "", to }));
  const settings = mayGo("/admin/settings")
    ? findSettings(q).map(({ to, label, page }) => ({ group: "Settings", label, detail: page, to }))
    : [];
  return words.length === 0 ? [...things.slice(0, 4), ...pages] : [...pages, ...things, ...settings];
}

/** Converts search results of the server to entries. */
export function foundEntries({ orders, customers, products }: Found): Entry[] {
  return [
    ...orders.map(({ id, number, customer, status }) => ({
      group: "Orders",
      label: `#${number} ${customer ?? "Anonymous"}`,
      detail: orderStatusLabel(status),
      to: `/admin/orders/${id}?status=all`,
    })),
    ...customers.map(({ id, name, email, orders }) => ({
      group: "Customers",
      label: name || email,
      detail: `${name ? `${email}, ` : ""}${orders === 1 ? "1 order" : `${orders} orders`}`,
      to: `/admin/customers/${id}`,
    })),
    ...products.map(({ id, name, size }) => ({
      group: "Products",
      label: name,
      detail: sizeBeside({ name, size }),
      to: `/admin/products/${id}`,
    })),
  ];
}
