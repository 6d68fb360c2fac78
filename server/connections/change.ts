import type * as v from "valibot";
import {
  type ConnectionName,
  connectionTitles,
  type mailFormSchema,
  type stripeFormSchema,
  type twilioFormSchema,
} from "../../domain/connections/connections.ts";
import type { ShopContext } from "../context.ts";
import { tryMailServer } from "../outbox/smtp.ts";
import { tellOwners } from "../outbox/tell-owners.ts";
import { tryTwilio } from "../outbox/twilio.ts";
import { tryStripeKeys } from "../payment-providers/stripe/try-keys.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { noteSecretTried, writeSecret } from "../settings/secrets.ts";
import { isFixed, readConnections, variablesOf } from "./read.ts";
import { type MailServer, modeOf, readStored, type StoredValues, smtpUrl, stripeFacts } from "./stored.ts";

type Form<S extends v.GenericSchema> = v.InferOutput<S>;
export type Kept = { isTested: boolean };

/** What a try came to; `field`: the form's field that is at fault. */
type Tried = { ok: true } | { ok: false; isAway: boolean; field?: string | null; message: string };

/** Tries Stripe's keys, and keeps them. What is left empty stays as it is. */
export async function keepStripe(
  ctx: ShopContext,
  form: Form<typeof stripeFormSchema>,
  viewer: Viewer,
): Promise<Kept | Problem> {
  const fixed = refuseFixed(ctx, "stripe");
  if (fixed) return fixed;
  const { stripe } = await readStored(ctx.db, ctx.secretsKey);
  const { environment } = ctx.connections;
  const value = {
    secretKey: form.secretKey || (stripe.value?.secretKey ?? ""),
    publishableKey: form.publishableKey || (stripe.value?.publishableKey ?? ""),
    webhookSecret: form.webhookSecret || stripe.value?.webhookSecret || (environment.webhookSecret ?? ""),
  };
  const missing = missingIn(value);
  if (missing) return missing;
  if (modeOf(value.secretKey) !== modeOf(value.publishableKey)) {
    return wrong("publishableKey", "One key is live and the other is for tests; both must be of one kind");
  }
  const tried = await tryStripeKeys({ ...value, apiBase: environment.apiBases.stripe });
  if (!tried.ok && !(tried.isAway && form.untested)) return refusal(tried);
  const account = tried.ok ? tried.account : null;
  const before = stripeFacts(stripe.row);
  const mode = modeOf(value.secretKey);
  const other =
    before !== null && before.mode !== mode
      ? `the ${before.mode} mode`
      : before?.account && account && before.account !== account
        ? `another account (…${before.account.slice(-4)})`
        : null;
  if (other !== null && !form.otherAccount) {
    return problem(
      "validation_failed",
      `The keys before were of ${other}. Its payments and refunds cannot be read or sent with the new keys: whatever is open there is ended or left to Stripe’s dashboard.`,
      { fields: { otherAccount: "Please confirm" } },
    );
  }
  return keep(ctx, { name: "stripe", value, facts: { mode, account }, form, viewer, isTested: tried.ok });
}

/** The same for the mail server, the sender and the owner's address; each may be set by the environment instead. */
export async function keepMail(
  ctx: ShopContext,
  form: Form<typeof mailFormSchema>,
  viewer: Viewer,
): Promise<Kept | Problem> {
  const fixed = refuseFixed(ctx, "mail");
  if (fixed) return fixed;
  const { environment } = ctx.connections;
  const { mail } = await readStored(ctx.db, ctx.secretsKey);
  const before = mail.value?.server ?? null;
  const server = environment.mail.smtpUrl !== null ? before : serverOf(form, before);
  if (server !== null && "problem" in server) return server;
  const tried: Tried =
    server === null || environment.mail.smtpUrl !== null
      ? { ok: true }
      : await tryMailServer(smtpUrl(server) ?? "", environment.publicUrl);
  if (!tried.ok && !(tried.isAway && form.untested)) return refusal(tried);
  const value = {
    server,
    from: environment.mail.from === null ? form.from || null : (mail.value?.from ?? null),
    ownerEmail:
      environment.mail.ownerEmail === null ? form.ownerEmail || null : (mail.value?.ownerEmail ?? null),
  };
  return keep(ctx, { name: "mail", value, form, viewer, isTested: tried.ok && server !== null });
}

function serverOf(form: Form<typeof mailFormSchema>, before: MailServer | null): MailServer | null | Problem {
  const { host, port, security, user, password, isAnonymous } = form;
  if (host === "") return null;
  if (isAnonymous) return { host, port, security, user: null, password: null };
  if (user !== "" && password !== "") return { host, port, security, user, password };
  // A password that is kept goes to the server it was entered for, and to no other.
  const isSame = before?.host === host && before.port === port && before.security === security;
  if (user === "" && password === "" && isSame && before.user !== null) return before;
  return wrong(
    user === "" ? "user" : "password",
    before?.user && !isSame ? "Enter it again for this server" : "Missing",
  );
}

/** The same for Twilio. */
export async function keepTwilio(
  ctx: ShopContext,
  form: Form<typeof twilioFormSchema>,
  viewer: Viewer,
): Promise<Kept | Problem> {
  const fixed = refuseFixed(ctx, "twilio");
  if (fixed) return fixed;
  const { twilio } = await readStored(ctx.db, ctx.secretsKey);
  const { accountSid, from } = form;
  const kept = twilio.value?.accountSid === accountSid ? twilio.value.authToken : "";
  const value = { accountSid, authToken: form.authToken || kept, from };
  if (value.authToken === "")
    return wrong("authToken", twilio.value ? "Enter it again for this account" : "Missing");
  const tried = await tryTwilio({ ...value, apiBase: ctx.connections.environment.apiBases.twilio });
  if (!tried.ok && !(tried.isAway && form.untested)) return refusal({ field: "authToken", ...tried });
  return keep(ctx, { name: "twilio", value, form, viewer, isTested: tried.ok });
}

/** Takes keys out; the row stays, with the mode of orders that were placed. */
export async function removeConnection(
  ctx: ShopContext,
  { name, version, viewer }: { name: ConnectionName; version: number; viewer: Viewer },
): Promise<Problem | null> {
  const { db, secretsKey } = ctx;
  const { row } = (await readStored(db, secretsKey))[name];
  if (row === null || row.sealed === null) return null;
  const isWritten = await db.transaction(async (tx) => {
    const by = viewer.admin?.person?.id ?? null;
    const none = { name, value: null, facts: row.facts, seen: version, now: ctx.now(), by };
    if (!(await writeSecret({ db: tx, secretsKey }, none))) return false;
    await tellOwners(ctx, tx, { what: `${connectionTitles[name]}: the keys were taken out`, viewer });
    return true;
  });
  if (!isWritten) return changedMeanwhile(ctx, name, viewer);
  await ctx.connections.refresh();
  return null;
}

/** Tries what is in use, the environment's too, and notes what came back; not at keys that took their place meanwhile. */
export async function tryConnection(ctx: ShopContext, name: ConnectionName): Promise<Tried | null> {
  const { mail, stripe, twilio, publicUrl } = ctx.config;
  const { version = 1 } = ctx.connections.stored()[name].row ?? {};
  const tried =
    name === "stripe"
      ? stripe && (await tryStripeKeys(stripe))
      : name === "mail"
        ? mail.smtpUrl === null
          ? null
          : await tryMailServer(mail.smtpUrl, publicUrl)
        : twilio && (await tryTwilio(twilio));
  if (tried === null) return null;
  const triedAt = ctx.now();
  const tryFailure = tried.ok ? null : tried.message;
  await noteSecretTried(ctx.db, { name, version, triedAt, tryFailure });
  return tried;
}

async function keep<Name extends ConnectionName>(
  ctx: ShopContext,
  given: {
    name: Name;
    value: StoredValues[Name];
    facts?: unknown;
    form: { version: number };
    viewer: Viewer;
    isTested: boolean;
  },
): Promise<Kept | Problem> {
  const { name, value, facts, form, viewer, isTested } = given;
  const { db, secretsKey } = ctx;
  if (secretsKey.id === null) {
    return problem(
      "not_configured",
      `Nothing was kept: there is no key to encrypt it with (${secretsKey.problem}). Set SECRETS_KEY where the shop runs.`,
    );
  }
  const now = ctx.now();
  const isWritten = await db.transaction(async (tx) => {
    const secret = {
      name,
      value: JSON.stringify(value),
      facts,
      seen: form.version,
      now,
      by: viewer.admin?.person?.id ?? null,
      triedAt: isTested ? now : null,
    };
    if (!(await writeSecret({ db: tx, secretsKey }, secret))) return false;
    await tellOwners(ctx, tx, { what: `${connectionTitles[name]}: the keys were changed`, viewer });
    return true;
  });
  if (!isWritten) return changedMeanwhile(ctx, name, viewer);
  await ctx.connections.refresh();
  return { isTested };
}

async function changedMeanwhile(ctx: ShopContext, name: ConnectionName, { admin }: Viewer): Promise<Problem> {
  const current = await readConnections(ctx, admin?.sessionId ?? null);
  const who = current[name].updatedBy ?? "somebody else";
  const message = `${connectionTitles[name]} was changed meanwhile, by ${who} or in another window. Nothing was kept.`;
  return problem("invalid_state", message, { current });
}

function refuseFixed(ctx: ShopContext, name: ConnectionName): Problem | null {
  const { environment } = ctx.connections;
  if (!isFixed(environment, name)) return null;
  const set = variablesOf(environment, name).join(", ");
  return problem("invalid_state", `This is set where the shop runs, and changed there: ${set}.`);
}

function missingIn(value: Record<string, string>): Problem | null {
  const fields = Object.entries(value).flatMap(([name, text]) => (text === "" ? [[name, "Missing"]] : []));
  if (fields.length === 0) return null;
  return problem("validation_failed", "Please check the highlighted fields.", {
    fields: Object.fromEntries(fields),
  });
}

function wrong(field: string, message: string): Problem {
  return problem("validation_failed", "Please check the highlighted fields.", {
    fields: { [field]: message },
  });
}

function refusal({ isAway, field, message }: Exclude<Tried, { ok: true }>): Problem {
  if (isAway)
    return problem("provider_unavailable", `${message}, so nothing could be tried. Nothing was kept.`);
  return problem("validation_failed", `${message}. Nothing was kept.`, {
    fields: { [field ?? "form"]: message },
  });
}
