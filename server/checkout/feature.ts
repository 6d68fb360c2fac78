import { createCodeTries } from "../discounts/code-attempts.ts";
import type { Feature } from "../feature.ts";
import { isOptedOut } from "../outbox/optouts.ts";
import { checkoutApi } from "./api.ts";
import { checkoutTasks } from "./jobs.ts";
import { checkoutMail, enqueueCartReminder } from "./mail.ts";
import { priceCart } from "./price-cart.ts";
import { forgetReminders } from "./reminders.ts";
import { remindersApi } from "./reminders-api.ts";

export const checkoutFeature = {
  api: (ctx) => [
    ...checkoutApi({ ...ctx, codeTries: createCodeTries(ctx.limits) }),
    ...remindersApi({
      db: ctx.db,
      now: ctx.now,
      secret: ctx.secret,
      quote: (request) => priceCart(ctx, request),
    }),
  ],
  tasks: ({ db, now, secret }) =>
    checkoutTasks({
      db,
      now,
      secret,
      isOptedOut: (tx, email) => isOptedOut(tx, email, "cart_reminder"),
      announce: enqueueCartReminder,
    }),
  mail: checkoutMail,
  purges: [
    function purgeReminders({ db, now }) {
      return forgetReminders(db, now());
    },
  ],
} satisfies Feature;
