import * as v from "valibot";
import { returnDecisionSchema } from "../../domain/order-return.ts";
import { type Answer, type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import { type Problem, problem } from "../platform/problem.ts";
import type { ActionResult, OrderActionParts } from "./action-parts.ts";
import { findOrder } from "./queries.ts";
import { decideReturn } from "./returns.ts";
import { deliverOrder, shipOrder } from "./shipping.ts";

const tag = "Contact, notifications, admin";
const params = v.object({ id: v.pipe(v.string(), v.uuid()) });
const answers = {
  200: "The order as it is now",
  404: "There is no such order",
  409: "Not possible in its state, with the reason",
};

const line = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Is required"),
    v.maxLength(max, `Use at most ${max} characters`),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Use one line"),
  );

/** What the owner does with an order's parcel, there and back. */
export function fulfilmentApi(parts: OrderActionParts): AnyApiRoute[] {
  const answer = async (orderId: string, result: ActionResult | null): Promise<Answer | Problem> => {
    if (result === null) return problem("not_found", "There is no such order.");
    return result.ok ? ok(await findOrder(parts.db, orderId)) : problem("invalid_state", result.reason);
  };
  return [
    route({
      method: "POST",
      path: "/api/admin/orders/:id/ship",
      tag,
      summary: "Mark a paid order as shipped; the buyer gets the tracking link",
      access: "admin",
      limit: "none",
      params,
      body: v.object({ carrier: line(60), trackingNumber: line(60) }),
      answers,
      handle: async ({ params, body }) =>
        answer(params.id, await shipOrder(parts, { orderId: params.id, ...body })),
    }),
    route({
      method: "POST",
      path: "/api/admin/orders/:id/deliver",
      tag,
      summary: "Mark a shipped order as delivered",
      access: "admin",
      limit: "none",
      params,
      answers,
      handle: async ({ params }) => answer(params.id, await deliverOrder(parts, params.id)),
    }),
    route({
      method: "PATCH",
      path: "/api/admin/returns/:id",
      tag,
      summary: "Approve or decline a return, or close one that is settled; the buyer is told",
      access: "admin",
      limit: "none",
      params,
      body: returnDecisionSchema,
      answers: {
        200: "Decided",
        404: "There is no such return",
        409: "It was decided before, with the reason",
      },
      handle: async ({ params, body }) => {
        const result = await decideReturn(parts, { returnId: params.id, ...body });
        if (result === null) return problem("not_found", "There is no such return.");
        return result.ok ? ok({ status: body.status }) : problem("invalid_state", result.reason);
      },
    }),
  ];
}
