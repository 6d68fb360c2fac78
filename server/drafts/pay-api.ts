import * as v from "valibot";
import { payableSchema } from "../../domain/drafts/draft.ts";
import { dataOf, ok, route } from "../api-row.ts";
import {
  isPaymentLinkValid,
  linkToken,
  nothingToPay,
  ofPaymentLink,
  providerProblem,
} from "../payments/payment-link.ts";
import { networkOf } from "../platform/http/client-address.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { openDraft, readPayable } from "./pay.ts";

/** Viewing and paying a draft by its payment link. */
export const payApi = [
  route("GET /api/pay/:id", {
    ...ofPaymentLink,
    summary: "What a payment link asks for; `token` comes with the link",
    query: v.object({ token: v.optional(linkToken, "") }),
    response: dataOf(payableSchema),
    answers: { 200: "Lines, totals and address", 404: "No such link" },
    handle: async (ctx, { params: { id }, query }) => {
      const payable = isPaymentLinkValid(ctx, id, query.token) ? await readPayable(ctx, id) : null;
      return payable ? ok(payable) : problem("not_found", nothingToPay);
    },
  }),
  route("POST /api/pay/:id", {
    ...ofPaymentLink,
    summary: "Order what a payment link asks for, and open its payment on the provider’s page",
    body: v.object({
      token: linkToken,
      total: v.pipe(v.number("Must be a number of cents"), v.integer("Must be whole cents")),
    }),
    response: dataOf(v.object({ url: v.string(), orderId: v.string() })),
    answers: {
      200: "Where to pay, and the order: the same for everybody who opens the link",
      404: "No such link",
      409: "`price_changed` with the right `total`, `out_of_stock`, or `invalid_state`: paid already, or expired",
      502: "The payment provider is away",
    },
    handle: async (ctx, call) => {
      const { id } = call.params;
      if (!isPaymentLinkValid(ctx, id, call.body.token)) return problem("not_found", nothingToPay);
      const caller = { visitorId: call.visitor(), buyerNetwork: networkOf(call.address) };
      const result = await openDraft(ctx, { id, total: call.body.total, ...caller });
      return result.ok ? ok({ url: result.url, orderId: result.orderId }) : refusal(result);
    },
  }),
];

function refusal(result: Extract<Awaited<ReturnType<typeof openDraft>>, { ok: false }>): Problem {
  switch (result.reason) {
    case "gone":
      return problem("not_found", nothingToPay);
    case "price_changed":
      return problem("price_changed", "The price has changed. Please check the new total.", {
        total: result.total,
      });
    case "out_of_stock":
      return problem("out_of_stock", "There isn’t enough in stock for this order. Please write to us.", {
        available: result.available,
      });
    case "too_many_declines":
      return problem(
        "rate_limited",
        "Too many payments were declined. Please try again later, or ask your bank.",
        {
          headers: { "Retry-After": String(result.waitSeconds) },
        },
      );
    case "provider_unavailable":
    case "provider_refused":
      return providerProblem(result.reason);
    default:
      return problem(
        "invalid_state",
        "This can no longer be paid with the link. Please ask us for a new one.",
      );
  }
}
