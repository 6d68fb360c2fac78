import * as v from "valibot";
import {
  domainRegistrationSchema,
  goLiveReportSchema,
  keepableChecks,
  webhookTestSchema,
} from "../../domain/go-live/go-live.ts";
import { accepted, dataOf, ok, route } from "../api-row.ts";
import { queueTestEmail } from "../outbox/enqueue.ts";
import { checkContext } from "./check.ts";
import { registerDomain } from "./register-domain.ts";
import { runChecks } from "./report.ts";
import { confirmCheck, type Keepable } from "./statements.ts";
import { testWebhook } from "./webhook-test.ts";

/** Entries of the activity log. */
const activitySummaries: Record<Keepable, string> = {
  time_zone: "Kept the time zone as it is",
  shipping: "Kept the shipping prices as they are",
  tax: "Kept tax as it is: none is charged",
  policies: "Kept the rules for returns as they are",
  policies_read: "Said that the policies have been read",
  offsite_backup: "Said that copies of backups are kept elsewhere",
};

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;

/** Whether the shop is ready to take money, and what to do where it is not. */
export const goLiveApi = [
  route("GET /api/admin/go-live", {
    ...shared,
    summary: "The go-live check: each line ok, warning or problem, with what to do",
    limit: "write",
    response: dataOf(goLiveReportSchema),
    answers: {
      200: "`{at, checks: [{id, group, title, state, detail, todo, link, keep}], counts}`; `keep`: what `POST /api/admin/go-live/keep` says, null where it says nothing",
    },
    handle: async (ctx) => ok(await runChecks(checkContext(ctx))),
  }),
  route("POST /api/admin/go-live/keep", {
    ...shared,
    summary:
      "Settle a line of the check by one's word: keep settings as they came, say what only the owner knows",
    limit: "write",
    body: v.object({ check: v.picklist(keepableChecks, `One of ${keepableChecks.join(", ")}`) }),
    response: dataOf(goLiveReportSchema),
    answers: { 200: "The check as it is then" },
    handle: async (ctx, { body: { check }, log }) => {
      await confirmCheck(ctx, check);
      log({ summary: activitySummaries[check] });
      return ok(await runChecks(checkContext(ctx)));
    },
  }),
  route("POST /api/admin/go-live/test-email", {
    ...shared,
    summary: "Send the owner an email on the way of all others",
    limit: "checkout",
    response: dataOf(v.object({ messageId: v.string() })),
    answers: { 202: "It is on its way; its `messageId`" },
    handle: async (ctx, { log }) => {
      const messageId = await queueTestEmail(ctx.db);
      log({ summary: "Sent a test email" });
      return accepted({ messageId });
    },
  }),
  route("POST /api/admin/go-live/test-webhook", {
    ...shared,
    summary: "Have an event sent the whole way round, signed; waits up to 20 seconds for it",
    limit: "checkout",
    response: dataOf(webhookTestSchema),
    answers: { 200: "`{arrived, detail}`" },
    handle: async (ctx, { log }) => {
      const result = await testWebhook(ctx);
      log({ summary: `Tested the webhook: ${result.arrived ? "the event arrived" : "no event arrived"}` });
      return ok(result);
    },
  }),
  route("POST /api/admin/go-live/register-domain", {
    ...shared,
    summary: "Register the shop's domain at Stripe, for Apple Pay and other wallets",
    limit: "checkout",
    response: dataOf(domainRegistrationSchema),
    answers: { 200: "`{isRegistered, detail}`" },
    handle: async (ctx, { log }) => {
      const result = await registerDomain(ctx);
      log({ summary: `Registered the domain for wallets: ${result.isRegistered ? "done" : "refused"}` });
      return ok(result);
    },
  }),
];
