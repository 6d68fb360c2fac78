import { priceCart } from "../checkout/price-cart.ts";
import { createCodeTries } from "../discounts/code-attempts.ts";
import type { Feature } from "../feature.ts";
import { cartApi } from "./api.ts";
import { forgetCarts } from "./commands.ts";

export const cartFeature = {
  api: (ctx) =>
    cartApi({
      db: ctx.db,
      now: ctx.now,
      secret: ctx.secret,
      quote: (request) => priceCart(ctx, request),
      codeTries: createCodeTries(ctx.limits),
    }),
  purges: [
    function purgeCarts({ db, now }) {
      return forgetCarts(db, now());
    },
  ],
} satisfies Feature;
