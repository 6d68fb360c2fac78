import * as v from "valibot";
import type { Quote } from "../../domain/cart/cart.ts";
import { type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { reminderRequestSchema } from "./cart-reminder.ts";
import { dropReminder, keepReminder } from "./reminders.ts";
import { restorableCart } from "./restore-link.ts";

const tag = "Checkout and orders";
const path = "/api/checkout/reminder";

export function remindersApi(parts: {
  db: Database;
  now(): Date;
  secret: string;
  quote(request: {
    items: { productId: number; quantity: number }[];
    country: null;
    state: null;
    shippingOption: null;
  }): Promise<{ quote: Quote }>;
}): AnyApiRoute[] {
  return [
    route({
      method: "POST",
      path,
      tag,
      summary: "E-mail this cart once, four hours from now, unless it is bought by then",
      access: "anyone",
      limit: "reminder",
      body: reminderRequestSchema,
      answers: { 200: "`{dueAt}`; a second call replaces the first and puts it off" },
      handle: async ({ body, visitor }) => {
        const { dueAt } = await keepReminder(parts, { visitorId: visitor(), ...body });
        return ok({ dueAt: dueAt.toISOString() });
      },
    }),
    route({
      method: "DELETE",
      path,
      tag,
      summary: "E-mail no cart after all",
      access: "anyone",
      limit: "reminder",
      answers: { 204: "There is no reminder of this visitor" },
      handle: async ({ viewer }) => {
        if (viewer.visitorId !== null) await dropReminder(parts.db, viewer.visitorId);
        return { status: 204 };
      },
    }),
    route({
      method: "GET",
      path,
      tag,
      summary: "The cart behind an e-mailed link, priced now",
      access: "anyone",
      limit: "none",
      query: v.object({ restore: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
      answers: { 200: "Lines and totals", 404: "The link is too old, or its cart was bought" },
      handle: async ({ query }) => {
        const items = await restorableCart(parts.db, {
          secret: parts.secret,
          restore: query.restore,
          now: parts.now(),
        });
        if (!items) return problem("not_found", "This cart is no longer kept.");
        const { quote } = await parts.quote({ items, country: null, state: null, shippingOption: null });
        return ok({ items: quote.items, totals: quote.totals });
      },
    }),
  ];
}
