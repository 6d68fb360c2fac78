import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { confirmationMinutes } from "../../domain/people/roles.ts";
import { isAccessCode } from "../admin/access.ts";
import { beginAttempt, withdrawAttempt } from "../admin/code-attempts.ts";
import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import { type Problem, problem, rateLimited } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { type PasskeyUse, usePasskey } from "./passkeys.ts";

/** Whether the person has confirmed by passkey or code within the last minutes. A time in the future does not count. */
export function isConfirmed({ now }: Pick<ShopContext, "now">, { admin }: Viewer): boolean {
  if (admin === null) return false;
  return Math.abs(now().getTime() - admin.confirmedAt.getTime()) <= confirmationMinutes * 60_000;
}

/** The response to a call that needs a confirmed identity. `what`: such as "A passkey is added". */
export function mustConfirm(what: string): Problem {
  return problem("confirmation_required", `${what} only after you confirm your identity.`);
}

/** Counts an attempt of the caller, runs the check of a code or passkey, and withdraws the attempt if it succeeds. */
export async function runAsAttempt<T>(
  ctx: ShopContext,
  { address, isKnownBrowser }: { address: string; isKnownBrowser: boolean },
  check: () => Promise<T | null>,
): Promise<{ ok: true; value: T | null } | { ok: false; refusal: Problem }> {
  const attempt = await beginAttempt(ctx.db, {
    caller: networkPrefix(address),
    isKnownBrowser,
    now: ctx.now(),
  });
  if (!attempt.ok) {
    const message = `Too many wrong tries. Please wait ${attempt.waitS} seconds.`;
    return { ok: false, refusal: rateLimited(message, attempt.waitS) };
  }
  const value = await check();
  if (value !== null) await withdrawAttempt(ctx.db, attempt.attemptId);
  return { ok: true, value };
}

/** Returns null if the code is right. A session counts as a known browser, so attempts of others do not block it. */
export async function confirmByCode(
  ctx: ShopContext,
  { accessCode, address }: { accessCode: string | undefined; address: string },
): Promise<Problem | null> {
  if (accessCode === undefined) return notConfirmed("Enter the access code.");
  const attempt = await runAsAttempt(ctx, { address, isKnownBrowser: true }, async () =>
    (await isAccessCode(ctx.db, accessCode)) ? true : null,
  );
  if (!attempt.ok) return attempt.refusal;
  return attempt.value ? null : notConfirmed("Invalid access code. Please try again.");
}

/** Returns null if the person's passkey was used. */
export async function confirmByPasskey(
  ctx: ShopContext,
  input: { personId: string; passkey: AuthenticationResponseJSON | undefined; address: string },
): Promise<Problem | null> {
  const { personId, passkey, address } = input;
  if (!passkey) return notConfirmed("Use your passkey.");
  const attempt = await runAsAttempt(ctx, { address, isKnownBrowser: true }, async () => {
    const result = await usePasskey(ctx, { personId, response: passkey });
    if (!result.ok) await reportCopiedPasskey(ctx, result);
    return result.ok ? result : null;
  });
  if (!attempt.ok) return attempt.refusal;
  return attempt.value ? null : notConfirmed("This passkey was not accepted. Please try again.");
}

/** Raises an issue about a passkey that may have been copied. */
export async function reportCopiedPasskey(
  ctx: ShopContext,
  result: Exclude<PasskeyUse, { ok: true }>,
): Promise<void> {
  if (result.reason !== "copied") return;
  const { passkey } = result;
  await ctx.db.transaction((tx) =>
    raiseIssue(tx, {
      kind: "passkey_copied",
      subject: passkey.id,
      message: `The passkey “${passkey.name}” was used with an older count than before, and refused: there may be a copy of it. Its owner should remove it under My account and add another`,
    }),
  );
}

function notConfirmed(message: string): Problem {
  return problem("invalid_state", message);
}
