import * as v from "valibot";
import {
  accessCodeFormSchema,
  type ConnectionName,
  carrierFormSchemas,
  connectionNames,
  connectionsSchema,
  connectionTitles,
  mailFormSchema,
  mailReportsFormSchema,
  stripeFormSchema,
  twilioFormSchema,
  webhookFormSchema,
} from "../../domain/connections/connections.ts";
import { changeAccessCode } from "../admin/access.ts";
import { type ApiCall, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { saveCarrier } from "./carrier-keys.ts";
import { changeMailReports } from "./mail-reports.ts";
import { readConnections } from "./panel-state.ts";
import {
  removeConnection,
  renewWebhook,
  type SavedKeys,
  saveMail,
  saveStripe,
  saveTwilio,
  tryConnection,
  withoutKey,
} from "./save.ts";

const shared = { tag: "Keys and connections", access: "admin" } as const;
const response = dataEnvelope(connectionsSchema);
const params = v.object({ name: v.picklist(connectionNames) });
const responses = {
  200: "The state of all connections. Keys are shortened; `mail.reportsUrl` is secret",
  409: "`invalid_state`: changed by somebody else since `version`, or set by the environment; nothing was stored",
  422: "`validation_failed`: the service refuses the keys, or `otherAccount` is required; nothing was stored",
  502: "`provider_unavailable`: the service could not be reached. With `untested` the keys are stored nevertheless",
  503: "`not_configured`: there is no key to encrypt with",
};

/** Properties shared by the rows that test and store keys. */
const keysRow = { ...shared, limit: "checkout", confirm: "Keys are changed", response, responses } as const;

/** Keys of the services that the shop uses, and the access code. Only the owner may change them. */
const connectionsApi = [
  route("GET /api/admin/connections", {
    ...shared,
    summary: "Which keys are set, where, and whether they work; the address for the mail provider's reports",
    response,
    responses: { 200: responses[200] },
    handle: (ctx, { viewer }) => respondWithConnections(ctx, viewer),
  }),
  route("PUT /api/admin/connections/stripe", {
    ...keysRow,
    summary: "Test keys of Stripe, and store them; empty fields keep their values",
    body: stripeFormSchema,
    handle: async (ctx, call) =>
      respondWithSaved(ctx, call, "stripe", await saveStripe(ctx, call.body, call.viewer)),
  }),
  route("POST /api/admin/connections/stripe/webhook", {
    ...keysRow,
    confirm: "A webhook is created",
    summary: "Create the shop's webhook at Stripe again, and store its signing secret",
    body: webhookFormSchema,
    handle: async (ctx, { body, viewer, log }) => {
      const result = await renewWebhook(ctx, body, viewer);
      if ("problem" in result) return result;
      log({ subject: "connection:stripe", summary: "Created the webhook at Stripe" });
      return respondWithConnections(ctx, viewer);
    },
  }),
  route("PUT /api/admin/connections/mail", {
    ...keysRow,
    summary: "Test a mail server, and store it with the sender's and the owner's address",
    body: mailFormSchema,
    handle: async (ctx, call) =>
      respondWithSaved(ctx, call, "mail", await saveMail(ctx, call.body, call.viewer)),
  }),
  route("PUT /api/admin/connections/mail/reports", {
    ...shared,
    summary:
      "Replace the address for reports of bounces and complaints, or Mailgun's signing key; an empty one is kept",
    limit: "write",
    confirm: "Keys are changed",
    body: mailReportsFormSchema,
    response,
    responses: { 200: responses[200], 503: responses[503] },
    async handle(ctx, { body, viewer, log }) {
      if (ctx.secretsKey.id === null) return withoutKey(ctx);
      await changeMailReports(ctx, body, viewer);
      log({ subject: "connection:mail", summary: "Changed how bounces and complaints are reported" });
      return respondWithConnections(ctx, viewer);
    },
  }),
  route("PUT /api/admin/connections/twilio", {
    ...keysRow,
    summary: "Test a Twilio account, and store it",
    body: twilioFormSchema,
    handle: async (ctx, call) =>
      respondWithSaved(ctx, call, "twilio", await saveTwilio(ctx, call.body, call.viewer)),
  }),
  route("PUT /api/admin/connections/easypost", {
    ...keysRow,
    summary: "Test a key of EasyPost, which sells labels, and store it; empty keeps the stored one",
    body: carrierFormSchemas.easypost,
    handle: async (ctx, call) =>
      respondWithSaved(ctx, call, "easypost", await saveCarrier(ctx, "easypost", call.body, call.viewer)),
  }),
  route("PUT /api/admin/connections/shippo", {
    ...keysRow,
    summary: "Test a token of Shippo, which sells labels, and store it; empty keeps the stored one",
    body: carrierFormSchemas.shippo,
    handle: async (ctx, call) =>
      respondWithSaved(ctx, call, "shippo", await saveCarrier(ctx, "shippo", call.body, call.viewer)),
  }),
  route("DELETE /api/admin/connections/:name", {
    ...shared,
    summary: "Remove keys that were entered in the panel",
    limit: "write",
    confirm: "Keys are removed",
    params,
    query: v.object({ version: v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)) }),
    response,
    responses: { 200: responses[200], 409: "`invalid_state`: changed by somebody else since `version`" },
    async handle(ctx, { params: { name }, query: { version }, viewer, log }) {
      const refusal = await removeConnection(ctx, { name, version, viewer });
      if (refusal) return refusal;
      log({ subject: `connection:${name}`, summary: `Removed the keys of ${connectionTitles[name]}` });
      return respondWithConnections(ctx, viewer);
    },
  }),
  route("POST /api/admin/connections/:name/try", {
    ...shared,
    summary: "Test the keys in use; nothing is sent or charged",
    limit: "checkout",
    params,
    response: dataEnvelope(v.object({ failure: v.nullable(v.string()), connections: connectionsSchema })),
    responses: {
      200: "`failure`: the service's answer, null if the keys work",
      409: "`invalid_state`: there are no keys",
    },
    async handle(ctx, { params: { name }, viewer, log }) {
      const result = await tryConnection(ctx, name);
      if (result === null) return problem("invalid_state", `No keys of ${connectionTitles[name]} are set.`);
      log({
        subject: `connection:${name}`,
        summary: `Tested the keys of ${connectionTitles[name]}: ${result.ok ? "they work" : result.message}`,
      });
      const connections = await readConnections(ctx, viewer.admin?.sessionId ?? null);
      return ok({ failure: result.ok ? null : result.message, connections });
    },
  }),
  route("PUT /api/admin/connections/access-code", {
    ...shared,
    summary: "Change the access code, and end the other sessions that were opened with the old one",
    limit: "write",
    confirm: "The access code is changed",
    body: accessCodeFormSchema,
    response,
    responses: { 200: responses[200], 409: "`invalid_state`: ADMIN_ACCESS_CODE is set and takes precedence" },
    async handle(ctx, { body: { code, everybody }, viewer, log }) {
      if (ctx.config.adminAccessCode !== null) {
        return problem(
          "invalid_state",
          "This is set in the shop’s environment and must be changed there: ADMIN_ACCESS_CODE.",
        );
      }
      const keptSessionId = viewer.admin?.sessionId ?? null;
      const endedCount = await ctx.db.transaction(async (tx) => {
        await notifyOwners(ctx, tx, { what: "The access code was changed", viewer });
        return changeAccessCode(tx, { code, keptSessionId, everybody });
      });
      log(`Set a new access code; other sessions ended: ${endedCount}`);
      return respondWithConnections(ctx, viewer);
    },
  }),
];

async function respondWithConnections(ctx: ShopContext, { admin }: Viewer) {
  return ok(await readConnections(ctx, admin?.sessionId ?? null));
}

async function respondWithSaved(
  ctx: ShopContext,
  { viewer, log }: Pick<ApiCall, "viewer" | "log">,
  name: ConnectionName,
  result: SavedKeys | Problem,
) {
  if ("problem" in result) return result;
  log({
    subject: `connection:${name}`,
    summary: `Entered keys of ${connectionTitles[name]}${result.isTested ? "" : ", untested"}`,
  });
  return respondWithConnections(ctx, viewer);
}

export const connectionsFeature = {
  api: connectionsApi,
} satisfies Feature;
