/** Roles in the panel. The owner may do everything; API rows and pages name the other roles that they permit. */
export const roles = ["owner", "staff", "packer", "accountant"] as const;
export type Role = (typeof roles)[number];

/** Roles that an API row or page names; the owner is always permitted. */
export type NonOwnerRole = Exclude<Role, "owner">;
export const nonOwnerRoles = ["staff", "packer", "accountant"] as const satisfies readonly NonOwnerRole[];

export const roleNames: Record<Role, string> = {
  owner: "Owner",
  staff: "Staff",
  packer: "Packer",
  accountant: "Accountant",
};

/** Rights of a role in one line, for people who assign it. */
export const roleSummaries: Record<Role, string> = {
  owner: "Everything, including settings, keys, people and backups.",
  staff:
    "Orders, refunds, products, customers, reviews and messages. Drafts texts and newsletters; the owner publishes them.",
  packer: "Packs and ships. Sees no amounts, emails or customer list.",
  accountant: "Reads money, orders and exports. Changes nothing.",
};

/** All rights of a role, in sentences, for people who have it. */
export const roleTexts: Record<Role, readonly string[]> = {
  owner: [
    "Everything, with settings, keys, people, backups, exports of addresses, erasure, and what texts, emails and menu say and link to.",
  ],
  staff: [
    "The daily work: orders with their items, contact, refunds, returns, disputes and invoices.",
    "Draft orders, payment links, and what was paid outside.",
    "Shipping and labels, products, prices, stock, discounts, customers, subscribers, their imports, reviews, questions, issues, and messages, which are answered and sent again by email.",
    "Writes drafts of newsletters, which the owner sends, and of texts, emails and menu, which the owner publishes.",
  ],
  packer: [
    "Orders to ship and on the way: addresses, packing slips, shipping, the proposed labels, tracking numbers, and “Something is wrong”, which puts an order on hold.",
    "Sees no amounts, email addresses or list of customers.",
  ],
  accountant: [
    "Reads overview, orders, disputes, invoices, books, exports and the money check.",
    "Changes nothing.",
  ],
};

/** Whether a role is the owner's or a permitted one; undefined permits only the owner. */
export function isAllowed(role: Role, permittedRoles: readonly NonOwnerRole[] | undefined): boolean {
  return role === "owner" || (permittedRoles?.includes(role) ?? false);
}

/** Minutes for which a confirmation by passkey or access code is valid. */
export const confirmationMinutes = 10;
