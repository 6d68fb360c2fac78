import type * as v from "valibot";
import {
  type ConnectionName,
  connectionTitles,
  type mailFormSchema,
  type stripeFormSchema,
  type twilioFormSchema,
  type webhookFormSchema,
} from "../../domain/connections/connections.ts";
import type { ShopContext } from "../context.ts";
import { tryCarrierKey } from "../label-providers/open.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import { tryMailServer } from "../outbox/smtp.ts";
import { tryTwilio } from "../outbox/twilio.ts";
import { tryStripeKeys } from "../payment-providers/stripe/try-keys.ts";
import { createWebhookEndpoints, type NewWebhook } from "../payment-providers/stripe/webhook.ts";
import { invalidFields, type Problem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { readShopId } from "../settings/installation.ts";
import { claimCreation, storeTryResult, writeSecret } from "../settings/secrets.ts";
import { connectionVariables, isSetByEnvironment, readConnections, stripeWebhookUrl } from "./panel-state.ts";
import {
  keyMode,
  type MailServer,
  readStoredKeys,
  type StoredValues,
  type StripeFacts,
  smtpUrl,
  stripeFacts,
} from "./stored-keys.ts";

export type Form<S extends v.GenericSchema> = v.InferOutput<S>;
export type SavedKeys = { isTested: boolean };

/** `field`: the field of the form that has the wrong key. */
type TryResult = { ok: true } | { ok: false; isUnreachable: boolean; field?: string | null; message: string };

/**
 * Tests keys at Stripe and stores them. Empty fields keep their stored value. Without a signing secret, the shop makes its
 * webhook at Stripe.
 */
export async function saveStripe(
  ctx: ShopContext,
  form: Form<typeof stripeFormSchema>,
  viewer: Viewer,
): Promise<SavedKeys | Problem> {
  const refusal = refuseEnvironmentKeys(ctx, "stripe");
  if (refusal) return refusal;
  const { stripe } = await readStoredKeys(ctx.db, ctx.secretsKey);
  const { environment } = ctx.connections;
  const keys = {
    secretKey: form.secretKey || (stripe.value?.secretKey ?? ""),
    publishableKey: form.publishableKey || (stripe.value?.publishableKey ?? ""),
  };
  const missingFields = missingFieldsProblem(keys);
  if (missingFields) return missingFields;
  if (keyMode(keys.secretKey) !== keyMode(keys.publishableKey)) {
    return invalidFields({
      publishableKey: "One key is live and the other is for tests; both must be of one kind",
    });
  }
  const testResult = await tryStripeKeys({ ...keys, apiBase: environment.apiBases.stripe });
  if (!testResult.ok && !(testResult.isUnreachable && form.untested)) return testProblem(testResult);
  const account = testResult.ok ? testResult.account : null;
  const previous = stripeFacts(stripe.row);
  const mode = keyMode(keys.secretKey);
  const previousOwner =
    previous !== null && previous.mode !== mode
      ? `the ${previous.mode} mode`
      : previous?.account && account && previous.account !== account
        ? `another account (…${previous.account.slice(-4)})`
        : null;
  if (previousOwner !== null && !form.otherAccount) {
    return problem(
      "validation_failed",
      `The previous keys belong to ${previousOwner}. Its payments and refunds cannot be read or sent with the new keys: open ones are ended or left to Stripe’s dashboard.`,
      { fields: { otherAccount: "Please confirm" } },
    );
  }
  // A secret of another account's endpoint signs nothing here.
  const storedSecret = previousOwner === null ? (stripe.value?.webhookSecret ?? "") : "";
  const webhookSecret = form.webhookSecret || storedSecret || (environment.webhookSecret ?? "");
  const storeKeys = (secret: string, webhook: StripeFacts["webhook"]) => {
    const value = { ...keys, webhookSecret: secret };
    const facts = { mode, account, webhook };
    return save(ctx, { name: "stripe", value, facts, form, viewer, isTested: testResult.ok });
  };
  if (webhookSecret !== "") {
    const isStoredSecret = form.webhookSecret === "" && storedSecret !== "";
    return storeKeys(webhookSecret, isStoredSecret ? (previous?.webhook ?? null) : null);
  }
  return (
    (await refuseStoring(ctx, form, viewer)) ??
    (testResult.ok ? null : withoutWebhook(testResult)) ??
    withNewWebhook(ctx, keys.secretKey, ({ id, secret, others }) => storeKeys(secret, { id, others }))
  );
}

/** Creates the webhook of the stored keys again, if it was deleted at Stripe or lacks events that a new version needs. */
export async function renewWebhook(
  ctx: ShopContext,
  form: Form<typeof webhookFormSchema>,
  viewer: Viewer,
): Promise<SavedKeys | Problem> {
  const { stripe } = await readStoredKeys(ctx.db, ctx.secretsKey);
  const { value } = stripe;
  const facts = stripeFacts(stripe.row);
  const refusal = refuseEnvironmentKeys(ctx, "stripe");
  if (refusal) return refusal;
  if (ctx.connections.environment.webhookSecret !== null) {
    return problem("invalid_state", "Its signing secret is set on the server (STRIPE_WEBHOOK_SECRET).");
  }
  if (value === null || facts === null) return problem("invalid_state", "No Stripe keys are set.");
  return (
    (await refuseStoring(ctx, form, viewer)) ??
    withNewWebhook(ctx, value.secretKey, ({ id, secret, others }) =>
      save(ctx, {
        name: "stripe",
        value: { ...value, webhookSecret: secret },
        facts: { ...facts, webhook: { id, others } },
        form,
        viewer,
        isTested: true,
      }),
    )
  );
}

/** Why keys could not be stored, checked before anything is created at Stripe; null if they can be stored. */
async function refuseStoring(ctx: ShopContext, { version }: { version: number }, viewer: Viewer) {
  if (ctx.secretsKey.id === null) return withoutKey(ctx);
  const { stripe } = await readStoredKeys(ctx.db, ctx.secretsKey);
  return (stripe.row?.version ?? 0) === version ? null : changedMeanwhile(ctx, "stripe", viewer);
}

function withoutWebhook({ message }: Exclude<TryResult, { ok: true }>): Problem {
  return problem(
    "provider_unavailable",
    `${message}, so no webhook could be created. Nothing was saved: try again later, or enter the signing secret of a webhook that you created yourself.`,
  );
}

/** Tests the mail server and stores it with both addresses, except for those that the environment sets. */
export async function saveMail(
  ctx: ShopContext,
  form: Form<typeof mailFormSchema>,
  viewer: Viewer,
): Promise<SavedKeys | Problem> {
  const refusal = refuseEnvironmentKeys(ctx, "mail");
  if (refusal) return refusal;
  const { environment } = ctx.connections;
  const { mail } = await readStoredKeys(ctx.db, ctx.secretsKey);
  const storedServer = mail.value?.server ?? null;
  const server = environment.mail.smtpUrl !== null ? storedServer : parseMailServer(form, storedServer);
  if (server !== null && "problem" in server) return server;
  const testResult: TryResult =
    server === null || environment.mail.smtpUrl !== null
      ? { ok: true }
      : await tryMailServer(smtpUrl(server) ?? "", environment.publicUrl);
  if (!testResult.ok && !(testResult.isUnreachable && form.untested)) return testProblem(testResult);
  const value = {
    server,
    from: environment.mail.from === null ? form.from || null : (mail.value?.from ?? null),
    ownerEmail:
      environment.mail.ownerEmail === null ? form.ownerEmail || null : (mail.value?.ownerEmail ?? null),
  };
  return save(ctx, { name: "mail", value, form, viewer, isTested: testResult.ok && server !== null });
}

function parseMailServer(
  form: Form<typeof mailFormSchema>,
  storedServer: MailServer | null,
): MailServer | null | Problem {
  const { host, port, security, user, password, isAnonymous } = form;
  if (host === "") return null;
  if (isAnonymous) return { host, port, security, user: null, password: null };
  if (user !== "" && password !== "") return { host, port, security, user, password };
  // The stored password is only sent to the server for which it was entered.
  const isSameServer =
    storedServer?.host === host && storedServer.port === port && storedServer.security === security;
  if (user === "" && password === "" && isSameServer && storedServer.user !== null) return storedServer;
  const message = storedServer?.user && !isSameServer ? "Enter it again for this server" : "Missing";
  return invalidFields({ [user === "" ? "user" : "password"]: message });
}

export async function saveTwilio(
  ctx: ShopContext,
  form: Form<typeof twilioFormSchema>,
  viewer: Viewer,
): Promise<SavedKeys | Problem> {
  const refusal = refuseEnvironmentKeys(ctx, "twilio");
  if (refusal) return refusal;
  const { twilio } = await readStoredKeys(ctx.db, ctx.secretsKey);
  const { accountSid, from } = form;
  const storedToken = twilio.value?.accountSid === accountSid ? twilio.value.authToken : "";
  const value = { accountSid, authToken: form.authToken || storedToken, from };
  if (value.authToken === "")
    return invalidFields({ authToken: twilio.value ? "Enter it again for this account" : "Missing" });
  const testResult = await tryTwilio({ ...value, apiBase: ctx.connections.environment.apiBases.twilio });
  if (!testResult.ok && !(testResult.isUnreachable && form.untested))
    return testProblem({ field: "authToken", ...testResult });
  return save(ctx, { name: "twilio", value, form, viewer, isTested: testResult.ok });
}

/** Removes keys. Their row stays, with the mode of the orders. */
export async function removeConnection(
  ctx: ShopContext,
  { name, version, viewer }: { name: ConnectionName; version: number; viewer: Viewer },
): Promise<Problem | null> {
  const { db, secretsKey } = ctx;
  const { row } = (await readStoredKeys(db, secretsKey))[name];
  if (row === null || row.sealed === null) return null;
  const isStored = await db.transaction(async (tx) => {
    const by = viewer.admin?.person?.id ?? null;
    const emptySecret = { name, value: null, facts: row.facts, expectedVersion: version, now: ctx.now(), by };
    if (!(await writeSecret({ db: tx, secretsKey }, emptySecret))) return false;
    await notifyOwners(ctx, tx, { what: `${connectionTitles[name]}: the keys were removed`, viewer });
    return true;
  });
  if (!isStored) return changedMeanwhile(ctx, name, viewer);
  await ctx.connections.refresh();
  return null;
}

/** Tests the keys in use, including those of the environment, and stores the result unless they were replaced since. */
export async function tryConnection(ctx: ShopContext, name: ConnectionName): Promise<TryResult | null> {
  const { apiBases, labelKeys, mail, stripe, twilio, publicUrl } = ctx.config;
  const { version = 1 } = ctx.connections.storedKeys()[name].row ?? {};
  const testResult =
    name === "stripe"
      ? stripe && (await tryStripeKeys(stripe))
      : name === "mail"
        ? mail.smtpUrl === null
          ? null
          : await tryMailServer(mail.smtpUrl, publicUrl)
        : name === "twilio"
          ? twilio && (await tryTwilio(twilio))
          : labelKeys[name] === null
            ? null
            : await tryCarrierKey(name, labelKeys[name], apiBases[name]);
  if (testResult === null) return null;
  const triedAt = ctx.now();
  const tryFailure = testResult.ok ? null : testResult.message;
  await storeTryResult(ctx.db, { name, version, triedAt, tryFailure });
  return testResult;
}

/** Stores keys, or returns the problem. */
export async function save<Name extends ConnectionName>(
  ctx: ShopContext,
  input: {
    name: Name;
    value: StoredValues[Name];
    facts?: unknown;
    form: { version: number };
    viewer: Viewer;
    isTested: boolean;
  },
): Promise<SavedKeys | Problem> {
  const { name, value, facts, form, viewer, isTested } = input;
  const { db, secretsKey } = ctx;
  if (secretsKey.id === null) return withoutKey(ctx);
  const now = ctx.now();
  const isStored = await db.transaction(async (tx) => {
    const secret = {
      name,
      value: JSON.stringify(value),
      facts,
      expectedVersion: form.version,
      now,
      by: viewer.admin?.person?.id ?? null,
      triedAt: isTested ? now : null,
    };
    if (!(await writeSecret({ db: tx, secretsKey }, secret))) return false;
    await notifyOwners(ctx, tx, { what: `${connectionTitles[name]}: the keys were changed`, viewer });
    return true;
  });
  if (!isStored) return changedMeanwhile(ctx, name, viewer);
  await ctx.connections.refresh();
  return { isTested };
}

export function withoutKey({ secretsKey }: ShopContext): Problem {
  return problem(
    "not_configured",
    `Nothing was saved: there is no key to encrypt it with (${secretsKey.problem}). Whoever runs the server sets one (SECRETS_KEY).`,
  );
}

async function changedMeanwhile(ctx: ShopContext, name: ConnectionName, { admin }: Viewer): Promise<Problem> {
  const current = await readConnections(ctx, admin?.sessionId ?? null);
  const editorName = current[name].updatedBy ?? "somebody else";
  const message = `${connectionTitles[name]} was changed in the meantime, by ${editorName} or in another window. Nothing was saved.`;
  return problem("invalid_state", message, { current });
}

function refuseEnvironmentKeys(ctx: ShopContext, name: ConnectionName): Problem | null {
  const { environment } = ctx.connections;
  if (!isSetByEnvironment(environment, name)) return null;
  const variables = connectionVariables(environment, name).join(", ");
  return problem(
    "invalid_state",
    `This is set in the shop’s environment and must be changed there: ${variables}.`,
  );
}

export function missingFieldsProblem(value: Record<string, string>): Problem | null {
  const fields = Object.entries(value).flatMap(([name, text]) => (text === "" ? [[name, "Missing"]] : []));
  if (fields.length === 0) return null;
  return invalidFields(Object.fromEntries(fields));
}

export function testProblem({ isUnreachable, field, message }: Exclude<TryResult, { ok: true }>): Problem {
  if (isUnreachable)
    return problem("provider_unavailable", `${message}, so the keys could not be tested. Nothing was saved.`);
  return problem("validation_failed", `${message}. Nothing was saved.`, {
    fields: { [field ?? "form"]: message },
  });
}

/** Lease for creating the webhook, longer than all calls to Stripe. After a crash, no webhook can be created until it ends. */
const claimMs = 60_000;

/**
 * Creates the shop's webhook at Stripe and passes its signing secret to `store`, since Stripe shows it only once. If `store`
 * refuses, the webhook is deleted again; otherwise this shop's older webhooks are deleted, whose secrets are lost. Only one
 * caller at a time can do this, across all servers. A crash before the secret is stored leaves a webhook that the next call deletes.
 */
async function withNewWebhook<T extends object>(
  ctx: ShopContext,
  secretKey: string,
  store: (webhook: NewWebhook) => Promise<T | Problem>,
): Promise<T | Problem> {
  const url = stripeWebhookUrl(ctx.connections.environment);
  const requireSecret = (message: string) => invalidFields({ webhookSecret: message });
  if (!url.startsWith("https:")) {
    return requireSecret(
      `Stripe sends events only to https, and this shop’s address is ${ctx.connections.environment.publicUrl}. Have its https address set on the server first (PUBLIC_URL). For a trial, enter the secret that “stripe listen” prints`,
    );
  }
  const releaseClaim = await claimCreation(ctx, "stripe_webhook", claimMs);
  if (releaseClaim === null) {
    return problem(
      "invalid_state",
      "The webhook is being created in another window or by somebody else. Reload this page in a minute.",
    );
  }
  try {
    const { stripe: apiBase } = ctx.connections.environment.apiBases;
    const endpoints = createWebhookEndpoints({ secretKey, apiBase, url, shopId: await readShopId(ctx.db) });
    const response = await endpoints.create();
    if (!response.ok) {
      if (!response.isUnreachable) return requireSecret(response.message);
      return problem(
        "provider_unavailable",
        `${response.message}. Nothing was saved: try again in a minute.`,
      );
    }
    const { id } = response.webhook;
    const result = await store(response.webhook);
    const isCleanedUp = "problem" in result ? await endpoints.remove(id) : await endpoints.removeAllBut(id);
    // The next call deletes it.
    if (!isCleanedUp)
      ctx.log.warn({ webhook: id }, "an old webhook of this shop could not be deleted at Stripe");
    return result;
  } finally {
    await releaseClaim().catch((error: unknown) =>
      ctx.log.warn(
        { err: error },
        "the claim on creating a webhook could not be released, and expires automatically",
      ),
    );
  }
}
