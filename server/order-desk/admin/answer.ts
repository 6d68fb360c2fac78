import type { AdminOrder } from "../../../domain/orders/admin-order.ts";
import { type ApiCall, ok } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { problem } from "../../platform/http/problem.ts";
import type { ActionResult } from "../actions.ts";
import { readAdminOrder } from "./order.ts";

/** What the panel's calls about an order share. */
export const deskRow = {
  tag: "Contact, notifications, admin",
  access: "admin",
  roles: ["staff"],
} as const;

export function noOrder() {
  return problem("not_found", "There is no such order.");
}

/**
 * The answer to an action of the panel: the changed order, or why the action was refused; `result` null: no such order.
 * `summary`: the entry of the activity log; null: nothing was changed.
 */
export async function answerAction(
  ctx: ShopContext,
  { params: { id }, log }: Pick<ApiCall<{ id: string }>, "params" | "log">,
  result: ActionResult | null,
  summary: (order: AdminOrder) => string | null,
) {
  if (result === null) return noOrder();
  if (!result.ok) return problem("invalid_state", result.reason);
  const order = await readAdminOrder(ctx, id);
  if (!order) return noOrder();
  const text = summary(order);
  if (text !== null) log(text);
  return ok(order);
}
