/** Who somebody is in the panel. The owner may do everything; what the others may, each API row and page says. */
export const roles = ["owner", "staff", "packer", "accountant"] as const;
export type Role = (typeof roles)[number];

/** The roles that a row or page names; the owner's is never named. */
export type HelperRole = Exclude<Role, "owner">;
export const helperRoles = ["staff", "packer", "accountant"] as const satisfies readonly HelperRole[];

export const roleNames: Record<Role, string> = {
  owner: "Owner",
  staff: "Staff",
  packer: "Packer",
  accountant: "Accountant",
};

/** What a role is for, in one sentence for whoever gives it. */
export const roleTexts: Record<Role, string> = {
  owner: "Everything, with settings, keys, backups and people.",
  staff: "The daily work: orders, refunds, products, stock, messages, reviews and discounts.",
  packer: "Orders to ship: addresses, packing slips and tracking. Sees no amounts and no list of customers.",
  accountant: "Reads overview, orders, exports and the money check. Changes nothing.",
};

/** Whether a role may what `named` says; nothing named is the owner's alone. */
export function isAllowed(role: Role, named: readonly HelperRole[] | undefined): boolean {
  return role === "owner" || (named?.includes(role) ?? false);
}

/** Minutes for which passkey or access code need not be asked for again. */
export const confirmedMinutes = 10;
