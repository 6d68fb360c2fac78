import * as v from "valibot";
import { cartLinesMax } from "../../domain/cart/cart-limits.ts";
import { productIdSchema, quantitySchema } from "../../domain/checkout/checkout.ts";
import { emailSchema } from "../../domain/shared/email-address.ts";

/** Body of `POST /api/checkout/reminder`. */
export const reminderRequestSchema = v.object({
  email: emailSchema,
  items: v.pipe(
    v.array(v.object({ productId: productIdSchema, quantity: quantitySchema }), "Must be a list"),
    v.minLength(1, "The cart is empty"),
    v.maxLength(cartLinesMax, `At most ${cartLinesMax} lines`),
  ),
});
