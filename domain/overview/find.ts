import * as v from "valibot";
import { orderStatusSchema } from "../orders/order.ts";

/** Results per kind. */
export const maxResultsPerKind = 5;

/** Response of `GET /api/admin/find`: the first results of each kind that the caller's role may see. */
export const searchResultsSchema = v.object({
  orders: v.array(
    v.object({
      id: v.string(),
      number: v.number(),
      /** Null once the buyer's data was erased. */
      customer: v.nullable(v.string()),
      status: orderStatusSchema,
      createdAt: v.string(),
    }),
  ),
  customers: v.array(v.object({ id: v.number(), name: v.string(), email: v.string(), orders: v.number() })),
  products: v.array(v.object({ id: v.number(), name: v.string(), size: v.string() })),
  /** Invoices and credit notes of this number, with their orders. */
  invoices: v.array(v.object({ label: v.string(), orderId: v.string(), orderNumber: v.number() })),
});
export type SearchResults = v.InferOutput<typeof searchResultsSchema>;
