import { isAllowed, type NonOwnerRole, nonOwnerRoles, type Role } from "../../../domain/people/roles.ts";

/**
 * The roles that may open each page besides the owner. A page not listed here is open to the owner only. The API calls of a
 * page are guarded as well: see `roles` of an API row.
 */
export const pageRoles: Record<string, readonly NonOwnerRole[]> = {
  "/admin": ["staff", "accountant"],
  "/admin/donations": ["staff", "accountant"],
  "/admin/products": ["staff"],
  "/admin/products/new": ["staff"],
  "/admin/products/:id": ["staff"],
  "/admin/products/:id/preview": ["staff"],
  "/admin/products/:id/stock": ["staff"],
  "/admin/products/:id/stock/batches/:batchId": ["staff"],
  "/admin/orders": ["staff", "packer", "accountant"],
  "/admin/orders/:id": ["staff", "packer", "accountant"],
  "/admin/disputes/:id": ["staff", "accountant"],
  "/admin/drafts": ["staff"],
  "/admin/drafts/:id": ["staff"],
  "/admin/packing-slips": ["staff", "packer"],
  "/admin/ship-next": ["staff", "packer"],
  "/admin/reviews": ["staff"],
  "/admin/questions": ["staff"],
  "/admin/messages": ["staff"],
  "/admin/messages/:id": ["staff"],
  "/admin/messages/sent": ["staff"],
  "/admin/messages/sent/:id": ["staff"],
  "/admin/discounts": ["staff"],
  "/admin/discounts/:id": ["staff"],
  "/admin/customers": ["staff"],
  "/admin/customers/:id": ["staff"],
  "/admin/import/:kind": ["staff"],
  "/admin/content": ["staff"],
  "/admin/content/:key": ["staff"],
  "/admin/content/menu": ["staff"],
  "/admin/content/emails": ["staff"],
  "/admin/content/emails/:kind": ["staff"],
  "/admin/campaigns": ["staff"],
  "/admin/campaigns/:id": ["staff"],
  "/admin/subscribers": ["staff"],
  "/admin/sources": ["staff"],
  "/admin/books": ["accountant"],
  "/admin/money": ["accountant"],
  "/admin/account": nonOwnerRoles,
  "/admin/more": nonOwnerRoles,
  "/admin/*": nonOwnerRoles,
};

/** Whether the role may open a page. `pattern`: the page's path as in routes.ts. */
export function mayOpen(role: Role, pattern: string): boolean {
  return isAllowed(role, pageRoles[pattern]);
}
