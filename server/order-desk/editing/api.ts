import * as v from "valibot";
import { adminOrderSchema } from "../../../domain/orders/admin-order.ts";
import type { Order } from "../../../domain/orders/order.ts";
import {
  contactChangeSchema,
  holdSchema,
  packingProblemSchema,
  tagChangeSchema,
} from "../../../domain/orders/order-forms.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { readOwnerHold, setOwnerHold } from "../../orders/commands.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { recordOrderNote } from "../../orders/transition.ts";
import { closeSettledIssues } from "../../payments/close-issues.ts";
import { uuidParams } from "../../platform/http/params.ts";
import { notFoundProblem, problem } from "../../platform/http/problem.ts";
import { type ActionResult, refuse, withLockedOrder } from "../actions.ts";
import { actionResponse, panelOrderRow } from "../admin/action-response.ts";
import { readAdminOrder } from "../admin/order.ts";
import { changeContact } from "./contact.ts";
import { changeTags, usedTags } from "./tags.ts";

const orderRow = { ...panelOrderRow, params: uuidParams, response: dataEnvelope(adminOrderSchema) } as const;
const responses = {
  200: "The order as it is now",
  404: "There is no such order",
  409: "Not possible in its state, with the reason",
};

/** Calls that edit contact, tags and holds of paid orders. */
export const orderEditingApi = [
  route("PATCH /api/admin/orders/:id/contact", {
    ...orderRow,
    summary: "Correct the contact and address of a paid order; its buyer is notified",
    body: contactChangeSchema,
    responses: {
      ...responses,
      409: "Not possible in its state, or changed since the `version` sent along: `current` has the order",
      422: "What is wrong with the input; `waiveDifference` if shipping or tax would cost a different amount there",
    },
    handle: async (ctx, call) => {
      const { params, body } = call;
      const result = await changeContact(ctx, { orderId: params.id, ...body });
      if (result === null) return notFoundProblem("order");
      if (!result.ok && result.code === "cost") {
        const fields = { waiveDifference: result.reason };
        return problem("validation_failed", result.reason, { fields });
      }
      if (!result.ok) {
        return problem("invalid_state", result.reason, {
          ...(result.code === "conflict" && { current: await readAdminOrder(ctx, params.id) }),
        });
      }
      const waived = body.waiveDifference ? ", a difference in cost waived" : "";
      return actionResponse(ctx, call, result, ({ number }) =>
        result.changed.length > 0 ? `Order #${number}: ${result.changed.join(", ")} changed${waived}` : null,
      );
    },
  }),
  route("PATCH /api/admin/orders/:id/tags", {
    ...orderRow,
    summary: "Add and remove tags of an order",
    body: tagChangeSchema,
    responses: { ...responses, 409: "It would have too many tags" },
    handle: async (ctx, call) => {
      const { params, body } = call;
      const changedParts = [
        ...body.add.map((tag) => `“${tag}” added`),
        ...body.remove.map((tag) => `“${tag}” removed`),
      ];
      const result = await changeTags(ctx, { orderId: params.id, ...body });
      return actionResponse(ctx, call, result, ({ number }) =>
        changedParts.length > 0 ? `Tags of order #${number}: ${changedParts.join(", ")}` : null,
      );
    },
  }),
  route("POST /api/admin/orders/:id/hold", {
    ...orderRow,
    summary: "Put an order on hold so that it is not shipped, or take it off hold",
    body: holdSchema,
    responses,
    handle: async (ctx, call) => {
      const { params, body } = call;
      const result = await holdOrder(ctx, { orderId: params.id, ...body });
      return actionResponse(
        ctx,
        call,
        result,
        ({ number }) =>
          `Order #${number} ${body.held ? "put on hold" : "taken off hold"}${body.reason === null ? "" : `: ${body.reason}`}`,
      );
    },
  }),
  route("POST /api/admin/orders/:id/problem", {
    ...panelOrderRow,
    roles: ["staff", "packer"],
    summary: "Report a problem with an order to be packed: it is put on hold, and the owner is notified",
    params: uuidParams,
    body: packingProblemSchema,
    response: dataEnvelope(v.object({ id: v.string(), number: v.number() })),
    responses: { ...responses, 200: "It is on hold; the same again changes nothing" },
    handle: async (ctx, { params: { id }, body: { reason }, viewer, log }) => {
      const by = viewer.admin?.person?.name ?? null;
      const result = await reportPackingProblem(ctx, { orderId: id, reason, by });
      const order = result && (await readAdminOrder(ctx, id));
      if (!order) return notFoundProblem("order");
      if (!result.ok) return problem("invalid_state", result.reason);
      const { number } = order;
      log(`Something is wrong with order #${number}: ${reason}`);
      return ok({ id, number });
    },
  }),
  route("GET /api/admin/order-tags", {
    ...panelOrderRow,
    roles: ["staff", "accountant"],
    summary: "All tags of orders",
    response: dataEnvelope(v.array(v.string())),
    responses: { 200: "The tags, up to 100, in alphabetical order" },
    handle: async ({ db }) => ok(await usedTags(db)),
  }),
];

/**
 * Puts an order on hold so that it is not shipped, or if `held` is false, takes it off hold. If it is on hold already, only the
 * reason changes. Null if there is no such order.
 */
async function holdOrder(
  ctx: ShopContext,
  { orderId, held, reason }: { orderId: string; held: boolean; reason: string | null },
): Promise<ActionResult | null> {
  return withLockedOrder(ctx, orderId, async (tx, { order }) => {
    const problem = held ? holdProblem(order) : null;
    if (problem !== null) return refuse(problem);
    const { heldAt, holdReason } = await readOwnerHold(tx, orderId);
    if (held === (heldAt !== null) && (!held || holdReason === reason)) return { ok: true };
    const now = ctx.now();
    const holdColumns = held
      ? { heldAt: heldAt ?? now, holdReason: reason }
      : { heldAt: null, holdReason: null };
    await setOwnerHold(tx, orderId, holdColumns);
    const note = `${held ? "Put on hold" : "Taken off hold"}${reason === null ? "" : `: ${reason}`}`;
    await recordOrderNote(tx, order, { actor: "owner", note, now });
    await updateShipHold(tx, orderId);
    if (!held) await closeSettledIssues(tx, { orderId, now });
    return { ok: true };
  });
}

/**
 * Puts an order on hold for a problem found while packing, and raises an issue, which closes when the order is taken off hold.
 * If it is on hold already, the hold keeps its reason. `by` is the reporter's name, if known. Idempotent. Null if there is no
 * such order.
 */
async function reportPackingProblem(
  ctx: ShopContext,
  { orderId, reason, by }: { orderId: string; reason: string; by: string | null },
): Promise<ActionResult | null> {
  return withLockedOrder(ctx, orderId, async (tx, { order }) => {
    const problem = holdProblem(order);
    if (problem !== null) return refuse(problem);
    const { heldAt, holdReason } = await readOwnerHold(tx, orderId);
    if (heldAt !== null && holdReason === reason) return { ok: true };
    const now = ctx.now();
    if (heldAt === null) await setOwnerHold(tx, orderId, { heldAt: now, holdReason: reason });
    const note = `Something is wrong: ${reason}`;
    await recordOrderNote(tx, order, { actor: "owner", note, now });
    await updateShipHold(tx, orderId);
    await raiseIssue(tx, {
      kind: "packing_problem",
      subject: `${orderId}:${now.getTime()}`,
      orderId,
      message: `${by ?? "Somebody"} reported a problem while packing order #${order.number}: “${reason}”. The order is on hold until you take it off hold`,
    });
    return { ok: true };
  });
}

function holdProblem({ status, fulfilment, cancelledAt, erasedAt }: Order): string | null {
  if (fulfilment !== null || cancelledAt !== null || erasedAt !== null) {
    return "Only an order that is still to be shipped can be put on hold.";
  }
  const isPaid = status !== "pending" && status !== "cancelled" && status !== "refunded";
  return isPaid ? null : "Only a paid order can be put on hold.";
}
