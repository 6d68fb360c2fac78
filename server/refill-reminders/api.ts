import * as v from "valibot";
import { dataOf, ok, route } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { chooseRefill } from "./commands.ts";

export const refillRemindersApi = [
  route("PUT /api/orders/:id/refill-reminder", {
    tag: "Checkout and orders",
    access: "anyone",
    byBuyer: true,
    limit: "write",
    summary: "Request one e-mail when a bottle should be nearly empty, or cancel the request",
    params: v.object({ id: v.string() }),
    body: v.object({
      isWanted: v.boolean("Must be true or false"),
      token: v.optional(v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))), null),
    }),
    response: dataOf(v.object({ weeks: v.number(), isWanted: v.boolean() })),
    answers: {
      200: "`isWanted`, and after how many `weeks` from delivery; repeating the call changes nothing",
      404: "Not an order of this visitor, nor of the link's bearer, or no reminder is offered for it",
    },
    handle: async (ctx, { params, body: { isWanted, token }, viewer }) => {
      const choice = await chooseRefill(ctx, { viewer, orderId: params.id, token, isWanted });
      return choice ? ok(choice) : problem("not_found", "There is nothing to remind of here.");
    },
  }),
];
