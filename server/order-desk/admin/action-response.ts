import type { AdminOrder } from "../../../domain/orders/admin-order.ts";
import { type ApiCall, ok } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import type { LoggedChange } from "../../platform/http/api-response.ts";
import { notFoundProblem, problem } from "../../platform/http/problem.ts";
import type { ActionResult } from "../actions.ts";
import { readAdminOrder } from "./order.ts";

/** Tag and access of the panel's order calls. */
export const panelOrderRow = {
  tag: "Contact, notifications, admin",
  access: "admin",
  roles: ["staff"],
} as const;

/**
 * Responds to an action of the panel with the changed order, or with the reason for a refusal. `result` is null if there is no
 * such order. `entry` returns the entry for the activity log, or null if nothing was changed.
 */
export async function actionResponse(
  ctx: ShopContext,
  { params: { id }, log }: Pick<ApiCall<{ id: string }>, "params" | "log">,
  result: ActionResult | null,
  entry: (order: AdminOrder) => LoggedChange | string | null,
) {
  if (result === null) return notFoundProblem("order");
  if (!result.ok) return problem("invalid_state", result.reason);
  const order = await readAdminOrder(ctx, id);
  if (!order) return notFoundProblem("order");
  const change = entry(order);
  if (change !== null) log(change);
  return ok(order);
}
