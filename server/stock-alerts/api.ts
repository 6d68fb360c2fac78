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
      "Ask for one email when a sold-out product is back; an address new to this browser confirms it first",
    limit: "signUp",
    body: stockAlertRequestSchema,
    response: dataOf(stockAlertAskedSchema),
    answers: {
      202: "`next`: `confirm` by the emailed link, or `waiting`; the same whether or not the address waits already",
      404: "No such product on show",
      409: "`invalid_state`: it can be bought",
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
    summary: "Confirm, by the token of the emailed link, that its reader wants to hear of the product",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
    response: dataOf(stockAlertConfirmedSchema),
    answers: {
      200: "`product`, and whether it is in stock by now; confirming again changes nothing",
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
