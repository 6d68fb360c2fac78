import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { queueTestEmail } from "../outbox/test-email.ts";
import { runChecks } from "./report.ts";
import { testWebhook, type WebhookTestParts } from "./webhook-test.ts";

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;

/** Whether the shop is ready to take money, and what to do where it is not. */
export function doctorApi(parts: WebhookTestParts): AnyApiRow[] {
  return [
    route("GET /api/admin/go-live", {
      ...shared,
      summary: "The go-live check: each line ok, warning or problem, with what to do",
      limit: "write",
      answers: { 200: "`{at, checks: [{id, group, title, state, detail, todo, link}], counts}`" },
      handle: async () => ok(await runChecks(parts)),
    }),
    route("POST /api/admin/go-live/test-email", {
      ...shared,
      summary: "Send the owner an e-mail on the way of all others",
      limit: "checkout",
      answers: { 202: "It is on its way; its `messageId`" },
      handle: async (_ctx, { log }) => {
        const messageId = await queueTestEmail(parts.db);
        log({ summary: "Sent a test email" });
        return { status: 202, body: { success: true, data: { messageId } } };
      },
    }),
    route("POST /api/admin/go-live/test-webhook", {
      ...shared,
      summary: "Have an event sent the whole way round, signed; waits up to 20 seconds for it",
      limit: "checkout",
      answers: { 200: "`{arrived, detail}`" },
      handle: async (_ctx, { log }) => {
        const result = await testWebhook(parts);
        log({ summary: `Tested the webhook: ${result.arrived ? "the event arrived" : "no event arrived"}` });
        return ok(result);
      },
    }),
  ];
}
