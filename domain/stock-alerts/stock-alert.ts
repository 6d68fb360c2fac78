import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";
import { productIdSchema } from "../shared/number-fields.ts";

/** Body of the form on a sold-out product's page. */
export const stockAlertRequestSchema = v.object({ productId: productIdSchema, email: emailSchema });
export type StockAlertRequest = v.InferOutput<typeof stockAlertRequestSchema>;

/**
 * `confirm`: an e-mail asks the address's owner to confirm. Also returned if the alert exists already, so that strangers do
 * not learn that it does. `waiting`: confirmed at once, because this browser has bought with the address.
 */
export const stockAlertNextStepSchema = v.object({ next: v.picklist(["confirm", "waiting"]) });
export type StockAlertNextStep = v.InferOutput<typeof stockAlertNextStepSchema>;

/** The product of an e-mailed link. `inStock`: the product is available again. */
export const confirmedStockAlertSchema = v.object({
  product: v.object({ name: v.string(), slug: v.string() }),
  inStock: v.boolean(),
});
export type ConfirmedStockAlert = v.InferOutput<typeof confirmedStockAlertSchema>;
