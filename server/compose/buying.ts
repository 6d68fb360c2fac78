import { cartApi } from "../cart/api.ts";
import { forgetCarts } from "../cart/commands.ts";
import { checkoutApi } from "../checkout/api.ts";
import { checkoutTasks } from "../checkout/jobs.ts";
import { forgetReminders } from "../checkout/reminders.ts";
import { remindersApi } from "../checkout/reminders-api.ts";
import { createCodeTries } from "../discounts/code-tries.ts";
import { announceCartReminder } from "../outbox/commands.ts";
import { isOptedOut } from "../outbox/optouts.ts";
import type { Area, AreaParts } from "./area.ts";

/** From the cart to an order that waits to be paid. */
export function buyingArea({ checkout, db, limits, now, quote, sessionSecret: secret }: AreaParts): Area {
  const codeTries = createCodeTries(limits);
  return {
    api: [
      ...cartApi({ db, now, secret, quote, codeTries }),
      ...checkoutApi({ ...checkout, codeTries }),
      ...remindersApi({ db, now, secret, quote }),
    ],
    tasks: checkoutTasks({
      db,
      now,
      secret,
      isOptedOut: (tx, email) => isOptedOut(tx, email, "cart_reminder"),
      announce: announceCartReminder,
    }),
    forgetters: [forgetCarts, forgetReminders],
  };
}
