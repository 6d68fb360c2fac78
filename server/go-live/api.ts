import { queueTestEmail } from "../outbox/test-email.ts";
import { type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import { examine } from "./report.ts";
import { testWebhook, type WebhookTestParts } from "./webhook-test.ts";

const path = "/api/admin/go-live";
const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;

/** Whether the shop is ready to take money, and what to do where it is not. */
export function doctorApi(parts: WebhookTestParts): AnyApiRoute[] {
  return [
    route({
      ...shared,
      method: "GET",
      path,
      summary: "The go-live check: each line ok, warning or problem, with what to do",
      limit: "write",
      answers: { 200: "`{at, checks: [{id, group, title, state, detail, todo, link}], counts}`" },
      handle: async () => ok(await examine(parts)),
    }),
    route({
      ...shared,
      method: "POST",
      path: `${path}/test-email`,
      summary: "Send the owner an e-mail on the way of all others",
      limit: "checkout",
      answers: { 202: "It is on its way; its `messageId`" },
      handle: async ({ log }) => {
        const messageId = await queueTestEmail(parts.db);
        log({ summary: "Sent a test email" });
        return { status: 202, body: { success: true, data: { messageId } } };
      },
    }),
    route({
      ...shared,
      method: "POST",
      path: `${path}/test-webhook`,
      summary: "Have an event sent the whole way round, signed; waits up to 20 seconds for it",
      limit: "checkout",
      answers: { 200: "`{arrived, detail}`" },
      handle: async ({ log }) => {
        const result = await testWebhook(parts);
        log({ summary: `Tested the webhook: ${result.arrived ? "the event arrived" : "no event arrived"}` });
        return ok(result);
      },
    }),
  ];
}
