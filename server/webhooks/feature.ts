import * as v from "valibot";
import {
  changedWebhookSchema,
  deliverySchema,
  maxWebhooks,
  newWebhookSchema,
  testEvent,
  webhookChangeSchema,
  webhookSchema,
  withSecretSchema,
} from "../../domain/webhooks/webhook.ts";
import { accepted, created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import { pageLimit, uuidParams } from "../platform/http/params.ts";
import { invalidFields, notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import { task } from "../platform/jobs/jobs.ts";
import {
  addTest,
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  purgeDeliveries,
  removeWebhook,
  replay,
  type WebhookChange,
} from "./commands.ts";
import { deliverWebhooks, deliverWebhooksJob } from "./deliver.ts";
import { webhookUrlProblem } from "./webhook-url.ts";

const shared = { tag: "Webhooks", access: "admin" } as const;

/** URLs that events are sent to. Only the owner may make these calls. */
const webhooksApi = [
  route("GET /api/admin/webhooks", {
    ...shared,
    summary: "Webhooks: addresses that events are sent to",
    response: dataEnvelope(v.array(webhookSchema)),
    responses: { 200: "Webhooks without their secrets, oldest first" },
    handle: async (ctx) => ok(await listWebhooks(ctx, ctx.db)),
  }),
  route("POST /api/admin/webhooks", {
    ...shared,
    summary: "Create a webhook for events from now on",
    confirm: "A webhook is created",
    limit: "write",
    body: newWebhookSchema,
    response: dataEnvelope(withSecretSchema),
    responses: {
      201: "The webhook and its `secret`, which is shown only once: deliveries are signed by Standard Webhooks",
      409: `There are ${maxWebhooks} webhooks already`,
      503: "`not_configured`: there is no key to encrypt the secret with",
    },
    async handle(ctx, { body, viewer, log }) {
      const refusal = refuseUrl(ctx, body.url) ?? refuseWithoutKey(ctx);
      if (refusal) return refusal;
      const { host } = new URL(body.url);
      const webhook = await ctx.db.transaction(async (tx) => {
        const newWebhook = await addWebhook(ctx, tx, body);
        if (newWebhook) await notifyOwners(ctx, tx, { what: `A webhook to ${host} was created`, viewer });
        return newWebhook;
      });
      if (!webhook)
        return problem("invalid_state", `There are ${maxWebhooks} webhooks already. Remove one first.`);
      log({
        subject: `webhook:${webhook.id}`,
        summary: `Created a webhook to ${host}`,
        after: { events: body.events },
      });
      return created(webhook);
    },
  }),
  route("PATCH /api/admin/webhooks/:id", {
    ...shared,
    summary: "Change a webhook’s address, events or secret, or switch it on or off",
    confirm: "A webhook is changed",
    limit: "write",
    params: uuidParams,
    body: webhookChangeSchema,
    response: dataEnvelope(changedWebhookSchema),
    responses: {
      200: "The webhook; with `rotateSecret` also its new `secret`; for 24 hours deliveries are signed with the old one too",
      404: "There is no such webhook",
    },
    async handle(ctx, { params: { id }, body, viewer, log }) {
      const refusal =
        (body.url === undefined ? null : refuseUrl(ctx, body.url)) ??
        (body.rotateSecret ? refuseWithoutKey(ctx) : null);
      if (refusal) return refusal;
      const change = await ctx.db.transaction(async (tx) => {
        const result = await changeWebhook(ctx, tx, id, body);
        if (!result) return null;
        const what = `The webhook to ${new URL(result.view.url).host} was changed: ${describeChange(body)}`;
        await notifyOwners(ctx, tx, { what, viewer });
        return result;
      });
      if (!change) return notFoundProblem("webhook");
      const { before, view, secret } = change;
      const host = new URL(view.url).host;
      log({
        subject: `webhook:${id}`,
        summary: `Changed the webhook to ${host}: ${describeChange(body)}`,
        before: { host: new URL(before.url).host, events: before.events, active: before.isActive },
        after: { host, events: view.events, active: view.active },
      });
      return ok({ ...view, ...(secret !== undefined && { secret }) });
    },
  }),
  route("DELETE /api/admin/webhooks/:id", {
    ...shared,
    summary: "Remove a webhook with its log",
    confirm: "A webhook is removed",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Removed, with its waiting deliveries", 404: "There is no such webhook" },
    async handle(ctx, { params: { id }, viewer, log }) {
      const webhook = await ctx.db.transaction(async (tx) => {
        const removedWebhook = await removeWebhook(ctx, tx, id);
        if (removedWebhook)
          await notifyOwners(ctx, tx, {
            what: `The webhook to ${new URL(removedWebhook.url).host} was removed`,
            viewer,
          });
        return removedWebhook;
      });
      if (!webhook) return notFoundProblem("webhook");
      log({ subject: `webhook:${id}`, summary: `Removed the webhook to ${new URL(webhook.url).host}` });
      return ok({ id });
    },
  }),
  route("POST /api/admin/webhooks/:id/test", {
    ...shared,
    summary: "Send a test to a webhook",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(deliverySchema),
    responses: {
      202: `The delivery of an event of the type \`${testEvent}\`, which is made in a moment`,
      404: "There is no such webhook",
      409: "The webhook is switched off",
    },
    async handle(ctx, { params: { id }, log }) {
      const delivery = await ctx.db.transaction((tx) => addTest(ctx, tx, id));
      if (!delivery)
        return (await listWebhooks(ctx, ctx.db, id)).length > 0
          ? inactiveProblem()
          : notFoundProblem("webhook");
      log({ subject: `webhook:${id}`, summary: "Sent a test to a webhook" });
      return accepted(delivery);
    },
  }),
  route("GET /api/admin/webhooks/:id/deliveries", {
    ...shared,
    summary: "Deliveries to a webhook, newest first, with the receiver's answers",
    params: uuidParams,
    query: v.object({ limit: pageLimit(50), cursor: v.optional(v.pipe(v.string(), v.uuid())) }),
    response: v.object({ data: v.array(deliverySchema), nextCursor: v.nullable(v.string()) }),
    responses: {
      200: "`{data: [{id, type, status, attempts: [{at, status, error, answer}], createdAt, nextTryAt, body}], nextCursor}`",
      404: "There is no such webhook",
    },
    async handle(ctx, { params: { id }, query }) {
      const body = await listDeliveries(ctx.db, id, query);
      return body ? { status: 200, body } : notFoundProblem("webhook");
    },
  }),
  route("POST /api/admin/webhooks/:id/deliveries/:deliveryId/replay", {
    ...shared,
    summary: "Send a delivery again: the same id and body, signed anew",
    limit: "write",
    params: v.object({ ...uuidParams.entries, deliveryId: uuidParams.entries.id }),
    response: dataEnvelope(deliverySchema),
    responses: {
      202: "The delivery, which is made in the background",
      404: "There is no such delivery",
      409: "The webhook is switched off",
    },
    async handle(ctx, { params: { id, deliveryId }, log }) {
      const delivery = await ctx.db.transaction((tx) => replay(tx, { webhookId: id, deliveryId }));
      if (delivery === "unknown") return notFoundProblem("delivery");
      if (delivery === "inactive") return inactiveProblem();
      log({ subject: `webhook:${id}`, summary: `Sent “${delivery.type}” again to a webhook` });
      return accepted(delivery);
    },
  }),
];

function describeChange({ url, events, active, rotateSecret }: WebhookChange): string {
  const parts = [
    url !== undefined && "address",
    events !== undefined && "events",
    active !== undefined && (active ? "switched on" : "switched off"),
    rotateSecret && "new secret",
  ];
  return parts.filter(Boolean).join(", ") || "nothing";
}

function refuseUrl({ config }: ShopContext, url: string): Problem | null {
  const message = webhookUrlProblem(url, config.webhookAllowsLocal);
  if (message === null) return null;
  return invalidFields({ url: message });
}

function refuseWithoutKey({ secretsKey }: ShopContext): Problem | null {
  if (secretsKey.id !== null) return null;
  const message = `Nothing was saved: there is no key to encrypt the secret with (${secretsKey.problem}). Set SECRETS_KEY where the shop runs.`;
  return problem("not_configured", message);
}

function inactiveProblem(): Problem {
  return problem("invalid_state", "This webhook is switched off. Switch it on first.");
}

/** Sends events to other programs, signed. */
export const webhooksFeature = {
  api: webhooksApi,
  tasks: (ctx) => [task(deliverWebhooksJob, (chain, { signal }) => deliverWebhooks(ctx, chain, signal))],
  purges: [purgeDeliveries],
} satisfies Feature;
