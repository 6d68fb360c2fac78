import * as v from "valibot";
import { passkeyRequestOptionsSchema, usedPasskeySchema } from "../../domain/people/person.ts";
import { roles } from "../../domain/people/roles.ts";
import { recordActivity } from "../admin/activity.ts";
import { isKnownBrowser, knownBrowserCookie } from "../admin/browsers.ts";
import { endSession } from "../admin/sessions.ts";
import { type ApiCall, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { browserName } from "../platform/http/browser-name.ts";
import { problem } from "../platform/http/problem.ts";
import { reportCopiedPasskey, runAsAttempt } from "./confirm.ts";
import { findInvitation, redeemInvitation } from "./invitations.ts";
import { passkeyOptions, passkeyProblem, usePasskey } from "./passkeys.ts";

const shared = { tag: "People", access: "anyone", limit: "signIn" } as const;
const token = v.pipe(v.string("Is missing"), v.regex(/^[\w-]{43}$/, "Is not a link of this shop"));
const signedIn = dataEnvelope(v.object({ name: v.string() }));

/** Signing in as a person, by a passkey or the link of an invitation. */
export const signInApi = [
  route("POST /api/admin/passkey/question", {
    ...shared,
    summary: "Options for signing in with a passkey; valid for five minutes",
    response: dataEnvelope(passkeyRequestOptionsSchema),
    responses: { 200: "Options for `navigator.credentials.get`", 409: "This address can have no passkeys" },
    async handle(ctx) {
      const obstacle = passkeyProblem(ctx.config.publicUrl);
      return obstacle === null ? ok(await passkeyOptions(ctx, null)) : problem("invalid_state", obstacle);
    },
  }),
  route("POST /api/admin/passkey", {
    ...shared,
    summary: "Sign in with a passkey",
    body: v.object({ passkey: usedPasskeySchema }),
    response: signedIn,
    responses: {
      200: "`{name}`; the session is in the cookie",
      401: "The passkey is not of this shop, or answers another challenge",
      429: "5 wrong attempts in a minute, or 30 from all addresses together",
    },
    async handle(ctx, call) {
      const caller = { address: call.address, isKnownBrowser: isKnownBrowser(ctx, call.header("cookie")) };
      const attempt = await runAsAttempt(ctx, caller, async () => {
        const result = await usePasskey(ctx, { personId: null, response: call.body.passkey });
        if (!result.ok) await reportCopiedPasskey(ctx, result);
        return result.ok ? result : null;
      });
      if (!attempt.ok) return attempt.refusal;
      if (attempt.value === null) {
        await recordActivity(ctx.db, {
          at: ctx.now(),
          action: "POST /api/admin/passkey",
          sessionId: null,
          summary: "Refused a passkey",
          outcome: "refused",
        });
        return problem("unauthorized", "This passkey was not accepted. Try another, or the access code.");
      }
      const { personId, passkey } = attempt.value;
      await signIn(ctx, call, {
        personId,
        action: "POST /api/admin/passkey",
        with: `the passkey “${passkey.name}”`,
      });
      return ok({ name: passkey.name });
    },
  }),
  route("GET /api/admin/invitation", {
    ...shared,
    summary: "The person invited by a link, which stays usable",
    query: v.object({ token }),
    response: dataEnvelope(
      v.object({ name: v.string(), email: v.string(), role: v.picklist(roles), expiresAt: v.string() }),
    ),
    responses: {
      200: "`{name, email, role, expiresAt}`",
      404: "It was used, revoked or replaced, or has expired",
    },
    async handle(ctx, { query }) {
      const invitation = await findInvitation(ctx.db, query.token, ctx.now());
      if (!invitation) return linkNotValid();
      const { name, email, role, expiresAt } = invitation;
      return ok({ name, email, role, expiresAt: expiresAt.toISOString() });
    },
  }),
  route("POST /api/admin/invitation", {
    ...shared,
    summary: "Accept an invitation by its link, which works once",
    body: v.object({ token }),
    response: signedIn,
    responses: {
      200: "`{name}`; the session is in the cookie",
      404: "It was used, revoked or replaced, or has expired",
    },
    async handle(ctx, call) {
      const person = await ctx.db.transaction((tx) => redeemInvitation(tx, call.body.token, ctx.now()));
      if (!person) return linkNotValid();
      await signIn(ctx, call, { personId: person.id, action: "POST /api/admin/invitation", with: "a link" });
      return ok({ name: person.name });
    },
  }),
];

/** Opens a session and ends the browser's earlier one. */
async function signIn(
  ctx: ShopContext,
  { address, header, setCookie, viewer }: Pick<ApiCall, "address" | "header" | "setCookie" | "viewer">,
  entry: { personId: string; action: string; with: string },
): Promise<void> {
  const { personId, action } = entry;
  const browser = browserName(header("user-agent"));
  if (viewer.admin) await endSession(ctx.db, viewer.admin.sessionId);
  const { sessionId, cookie } = await ctx.sessions.openAdmin({ now: ctx.now(), browser, address, personId });
  await recordActivity(ctx.db, {
    at: ctx.now(),
    action,
    sessionId,
    personId,
    subject: `session:${sessionId}`,
    summary: `Signed in with ${entry.with}`,
    after: { browser },
    outcome: "done",
  });
  setCookie(cookie);
  setCookie(knownBrowserCookie(ctx));
}

function linkNotValid() {
  return problem("not_found", "This link was used already, or is too old. Ask for a new one.");
}
