import * as v from "valibot";
import {
  stockAlertAskedSchema,
  stockAlertConfirmedSchema,
  stockAlertRequestSchema,
} from "../../domain/stock-alerts/stock-alert.ts";
import { accepted, dataOf, ok, route } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { askForAlert, confirmAlert } from "./commands.ts";

const shared = { tag: "Catalogue", access: "anyone" } as const;

export const stockAlertsApi = [
  route("POST /api/stock-alerts", {
    ...shared,
    summary:
      "Request one e-mail when a sold-out product is back in stock; an address new to this browser must confirm first",
    limit: "signUp",
    body: stockAlertRequestSchema,
    response: dataOf(stockAlertAskedSchema),
    answers: {
      202: "`next`: `confirm` by the e-mailed link, or `waiting`; the same even if the address already waits",
      404: "No such published product",
      409: "`invalid_state`: the product is in stock",
    },
    handle: async (ctx, { body, viewer }) => {
      const result = await askForAlert(ctx, { ...body, visitorId: viewer.visitorId });
      if (result.ok) return accepted({ next: result.next });
      return result.reason === "unknown"
        ? problem("not_found", "There is no such product.")
        : problem("invalid_state", `${result.name} is in stock: you can order it now.`);
    },
  }),
  route("POST /api/stock-alerts/confirm", {
    ...shared,
    summary: "Confirm a stock alert by the token of its e-mailed link",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
    response: dataOf(stockAlertConfirmedSchema),
    answers: {
      200: "`product`, and whether it is in stock; confirming again changes nothing",
      404: "Not a link of ours, or too old",
    },
    handle: async (ctx, { body }) => {
      const confirmed = await confirmAlert(ctx, body.token);
      return confirmed
        ? ok(confirmed)
        : problem("not_found", "This link no longer works. You can ask again on the product’s page.");
    },
  }),
];
