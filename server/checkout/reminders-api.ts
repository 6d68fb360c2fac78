import * as v from "valibot";
import type { Quote } from "../../domain/cart/cart.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { reminderRequestSchema } from "./cart-reminder.ts";
import { dropReminder, keepReminder } from "./reminders.ts";
import { restorableCart } from "./restore-link.ts";

const tag = "Checkout and orders";

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
}): AnyApiRow[] {
  return [
    route("POST /api/checkout/reminder", {
      tag,
      summary: "E-mail this cart once, four hours from now, unless it is bought by then",
      access: "anyone",
      limit: "reminder",
      body: reminderRequestSchema,
      answers: { 200: "`{dueAt}`; a second call replaces the first and puts it off" },
      handle: async (_ctx, { body, visitor }) => {
        const { dueAt } = await keepReminder(parts, { visitorId: visitor(), ...body });
        return ok({ dueAt: dueAt.toISOString() });
      },
    }),
    route("DELETE /api/checkout/reminder", {
      tag,
      summary: "E-mail no cart after all",
      access: "anyone",
      limit: "reminder",
      answers: { 204: "There is no reminder of this visitor" },
      handle: async (_ctx, { viewer }) => {
        if (viewer.visitorId !== null) await dropReminder(parts.db, viewer.visitorId);
        return { status: 204 };
      },
    }),
    route("GET /api/checkout/reminder", {
      tag,
      summary: "The cart behind an e-mailed link, priced now",
      access: "anyone",
      limit: "none",
      query: v.object({ restore: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
      answers: { 200: "Lines and totals", 404: "The link is too old, or its cart was bought" },
      handle: async (_ctx, { query }) => {
        const items = await restorableCart(parts.db, {
          secret: parts.secret,
          restore: query.restore,
          now: parts.now(),
        });
        if (!items) return problem("not_found", "This cart is no longer available.");
        const { quote } = await parts.quote({ items, country: null, state: null, shippingOption: null });
        return ok({ items: quote.items, totals: quote.totals });
      },
    }),
  ];
}
