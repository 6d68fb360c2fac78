import * as v from "valibot";
import { productIdSchema } from "../checkout/checkout.ts";
import { emailSchema } from "../shared/email-address.ts";

/** What a sold-out product's form sends. */
export const stockAlertRequestSchema = v.object({ productId: productIdSchema, email: emailSchema });
export type StockAlertRequest = v.InferOutput<typeof stockAlertRequestSchema>;

/**
 * `confirm`: an e-mail asks the address's owner first, unless it waits already, which no stranger learns. `waiting`: this
 * browser has bought with the address, which is proof enough.
 */
export const stockAlertAskedSchema = v.object({ next: v.picklist(["confirm", "waiting"]) });
export type StockAlertAsked = v.InferOutput<typeof stockAlertAskedSchema>;

/** The product that an e-mailed link is about. `inStock`: there is nothing to wait for any more. */
export const stockAlertConfirmedSchema = v.object({
  product: v.object({ name: v.string(), slug: v.string() }),
  inStock: v.boolean(),
});
export type StockAlertConfirmed = v.InferOutput<typeof stockAlertConfirmedSchema>;
