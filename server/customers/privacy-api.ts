import * as v from "valibot";
import { eraseCustomerSchema, erasureSchema } from "../../domain/customers/customer.ts";
import { accepted, dataOf, ok, route } from "../api-row.ts";
import { numericId } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import { requestDeletion } from "../privacy/deletion.ts";
import { exportPerson, personalDataSchema } from "../privacy/export.ts";
import { emailsOf, readCustomer } from "./read.ts";

const shared = { tag: "Customers", access: "admin", limit: "none" } as const;
const params = v.object({ id: numericId });

/** Exports and erasures that customers request by phone or letter. */
export const customerPrivacyApi = [
  route("GET /api/admin/customers/:id/data", {
    ...shared,
    summary: "All data stored about a customer, one document per address",
    downloads: true,
    confirm: "A customer’s data is downloaded",
    params,
    response: dataOf(v.array(personalDataSchema)),
    answers: {
      200: "For each address, the same as `POST /api/account/export/use`",
      404: "There is no such customer",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const customer = await readCustomer(ctx.db, id);
      if (customer === null) return noCustomer();
      const data = [];
      for (const email of customer.emails) data.push(await exportPerson(ctx, ctx.db, email));
      log({ subject: `customer:${id}`, summary: `Personal data of customer ${id} downloaded` });
      return ok(data);
    },
  }),
  route("POST /api/admin/customers/:id/erase", {
    ...shared,
    summary: "Delete the data stored about a customer; orders keep their amounts",
    confirm: "A customer’s data is deleted",
    params,
    body: eraseCustomerSchema,
    response: dataOf(erasureSchema),
    answers: {
      202: "The deletion is queued. `{kept: [{number, because}]}`: orders that still need their buyer’s data, and why",
      404: "There is no such customer",
      422: "`email` is not the customer’s main address",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const customer = await readCustomer(ctx.db, id);
      if (customer === null) return noCustomer();
      if (body.email.toLowerCase() !== customer.email) {
        const message = "This is not the customer’s email address.";
        return problem("validation_failed", message, { fields: { email: message } });
      }
      const keptOrders = await ctx.db.transaction(async (tx) => {
        const ordersToKeep = [];
        for (const email of await emailsOf(tx, customer))
          ordersToKeep.push(...(await requestDeletion(ctx, tx, email)));
        return ordersToKeep;
      });
      log({ subject: `customer:${id}`, summary: `Deletion of customer ${id} requested` });
      return accepted({ kept: keptOrders });
    },
  }),
];

function noCustomer() {
  return problem("not_found", "There is no such customer.");
}
