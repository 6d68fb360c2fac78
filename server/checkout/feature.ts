import * as v from "valibot";
import { cartSchema } from "../../domain/cart/cart.ts";
import { maxCartLines } from "../../domain/cart/cart-limits.ts";
import { quantitySchema } from "../../domain/checkout/checkout.ts";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { productIdSchema } from "../../domain/shared/number-fields.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { cartFrom, priceCart } from "../cart/quote.ts";
import type { Feature } from "../feature.ts";
import { problem } from "../platform/http/problem.ts";
import { addressLookupApi } from "./address-lookup/api.ts";
import { checkoutApi, walletsApi } from "./api.ts";
import { checkoutMail } from "./mail.ts";
import {
  deleteReminderQuery,
  dropReminder,
  eraseReminders,
  exportReminders,
  findReminderAddress,
  purgeReminders,
  remindOfCartTask,
  saveReminder,
} from "./reminders.ts";
import { restorableCart } from "./restore-link.ts";

const shared = { tag: "Checkout and orders", access: "anyone" } as const;

const reminderRequestSchema = v.object({
  email: emailSchema,
  items: v.pipe(
    v.array(v.object({ productId: productIdSchema, quantity: quantitySchema }), "Must be a list"),
    v.minLength(1, "The cart is empty"),
    v.maxLength(maxCartLines, `At most ${maxCartLines} lines`),
  ),
});

/** Calls that request and withdraw a cart reminder. */
const remindersApi = [
  route("POST /api/checkout/reminder", {
    ...shared,
    summary: "Send a reminder of this cart in four hours, unless it is bought before",
    limit: "reminder",
    body: reminderRequestSchema,
    response: dataEnvelope(v.object({ dueAt: v.string() })),
    responses: { 200: "`{dueAt}`; a second call replaces the first and postpones it" },
    handle: async (ctx, { body, visitor }) => {
      const { dueAt } = await saveReminder(ctx, { visitorId: visitor(), ...body });
      return ok({ dueAt: dueAt.toISOString() });
    },
  }),
  route("DELETE /api/checkout/reminder", {
    ...shared,
    summary: "Cancel the reminder of a cart",
    limit: "reminder",
    responses: { 204: "This visitor has no reminder anymore" },
    handle: async (ctx, { viewer }) => {
      if (viewer.visitorId !== null) await dropReminder(ctx.db, viewer.visitorId);
      return { status: 204 };
    },
  }),
  route("GET /api/checkout/reminder", {
    ...shared,
    summary: "The cart of an e-mailed link, at today's prices",
    limit: "none",
    query: v.object({ restore: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
    response: dataEnvelope(cartSchema),
    responses: { 200: "Lines and totals", 404: "The link is too old, or its cart was bought" },
    handle: async (ctx, { query }) => {
      const items = await restorableCart(ctx, query.restore);
      if (!items) return problem("not_found", "This cart is no longer available.");
      const { quote } = await priceCart(ctx, { items, country: null, state: null, shippingOption: null });
      return ok(cartFrom(quote));
    },
  }),
];

export const checkoutFeature = {
  api: [...checkoutApi, ...walletsApi, ...remindersApi, ...addressLookupApi],
  tasks: (ctx) => [remindOfCartTask(ctx)],
  mail: checkoutMail,
  purges: [purgeReminders],
  paymentHooks: { onOrderPaid: deleteReminderQuery },
  personalData: {
    knownAddress: findReminderAddress,
    lists: { cartReminders: exportReminders },
    erase: eraseReminders,
  },
} satisfies Feature;
