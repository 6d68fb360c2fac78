import * as v from "valibot";
import { okWhole, route, wholeOf } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { noPayment } from "./api.ts";

/** Called by the sandbox's card form, in place of a real provider's API. */
export const sandboxApi = [
  route("POST /api/sandbox/payment-intents/:id/confirm", {
    tag: "Checkout and orders",
    summary: "Pay with a test card (sandbox only)",
    access: "anyone",
    limit: "write",
    isServed: ({ sandbox, connections }) => sandbox !== null || connections.mayBeSandbox,
    params: v.object({ id: v.pipe(v.string(), v.maxLength(255)) }),
    body: v.object({
      clientSecret: v.pipe(v.string("Must be text"), v.maxLength(255)),
      card: v.object({
        number: v.pipe(v.string("Must be text"), v.maxLength(30)),
        expMonth: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(1), v.maxValue(12)),
        expYear: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(0), v.maxValue(9999)),
        cvc: v.pipe(v.string("Must be text"), v.maxLength(10)),
      }),
      authentication: v.optional(v.picklist(["pass", "fail"])),
    }),
    response: wholeOf({ status: v.picklist(["succeeded", "requires_action"]) }),
    answers: { 200: "`{status}`: `succeeded` or `requires_action`", 402: "Declined, with the reason" },
    handle: async ({ sandbox }, { params, body: { authentication, ...payment } }) => {
      if (!sandbox) return noPayment();
      const result = await sandbox.confirm({
        ...payment,
        intentId: params.id,
        ...(authentication ? { authentication } : {}),
      });
      if (result.ok) return okWhole({ status: result.status });
      switch (result.reason) {
        case "declined":
          return problem("payment_failed", result.message);
        case "closed":
          return problem("invalid_state", result.message);
        case "not_found":
          return noPayment();
      }
    },
  }),
];
