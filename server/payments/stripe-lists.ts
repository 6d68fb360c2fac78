import type { Stripe } from "stripe";
import { neededEventTypes } from "./event-types.ts";
import type { PaymentProvider } from "./provider.ts";
import { toRefund } from "./stripe-answers.ts";
import { type Call, forJob, permitted } from "./stripe-call.ts";
import { toEvent } from "./stripe-event.ts";
import type { ShopId } from "./stripe-metadata.ts";

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** What Stripe tells of all payments at once. Page by page, each within its own time. */
export function stripeLists(
  stripe: Stripe,
  call: Call,
  shopId: ShopId,
): Pick<PaymentProvider, "listEvents" | "listRefundsMade"> {
  return {
    async listEvents({ from, to, after }) {
      const params = {
        created: { gte: seconds(from), lt: seconds(to) },
        types: neededEventTypes,
        limit: 100,
        ...(after === null ? {} : { starting_after: after }),
      };
      const page = await call("list_events", forJob, (options) =>
        permitted(stripe.events.list(params, options)),
      );
      return {
        events: page.data.flatMap((event) => toEvent(event, shopId) ?? []),
        next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
      };
    },
    async *listRefundsMade(from) {
      let after: { starting_after?: string } = {};
      for (;;) {
        const params = { created: { gte: seconds(from) }, limit: 100, ...after };
        const page = await call("list_refunds", forJob, (options) => stripe.refunds.list(params, options));
        yield* page.data.map(toRefund);
        const last = page.data.at(-1);
        if (!page.has_more || !last) return;
        after = { starting_after: last.id };
      }
    },
  };
}
