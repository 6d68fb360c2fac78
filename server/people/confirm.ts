import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { confirmedMinutes } from "../../domain/people/roles.ts";
import { isAccessCode } from "../admin/access.ts";
import { beginAttempt, withdrawAttempt } from "../admin/code-attempts.ts";
import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";
import { networkOf } from "../platform/http/client-address.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { type UsedPasskey, usePasskey } from "./passkeys.ts";

/** Whether passkey or code were asked for within the last minutes. */
export function isConfirmed({ now }: Pick<ShopContext, "now">, { admin }: Viewer): boolean {
  return admin !== null && now().getTime() - admin.confirmedAt.getTime() <= confirmedMinutes * 60_000;
}

/** `what`: "A passkey is added", only after that. */
export function mustConfirm(what: string): Problem {
  return problem("confirmation_required", `${what} only once you have shown again that it is you.`);
}

/** Runs a check of a code or passkey as one more try of its caller's, and takes the try back if it was right. */
export async function asAttempt<T>(
  ctx: ShopContext,
  { address, isKnownBrowser }: { address: string; isKnownBrowser: boolean },
  check: () => Promise<T | null>,
): Promise<{ ok: true; value: T | null } | { ok: false; refusal: Problem }> {
  const begun = await beginAttempt(ctx.db, { caller: networkOf(address), isKnownBrowser, now: ctx.now() });
  if (!begun.ok) {
    const message = `Too many wrong tries. Please wait ${begun.waitS} seconds.`;
    const headers = { "Retry-After": String(begun.waitS) };
    return { ok: false, refusal: problem("rate_limited", message, { headers }) };
  }
  const value = await check();
  if (value !== null) await withdrawAttempt(ctx.db, begun.attemptId);
  return { ok: true, value };
}

/** Null: it is the code. Whoever asks is in already: a flood from elsewhere does not lock it out. */
export async function confirmByCode(
  ctx: ShopContext,
  { accessCode, address }: { accessCode: string | undefined; address: string },
): Promise<Problem | null> {
  if (accessCode === undefined) return notConfirmed("Enter the access code.");
  const tried = await asAttempt(ctx, { address, isKnownBrowser: true }, async () =>
    (await isAccessCode(ctx.db, accessCode)) ? true : null,
  );
  if (!tried.ok) return tried.refusal;
  return tried.value ? null : notConfirmed("Invalid access code. Please try again.");
}

/** Null: it is a passkey of the person's. */
export async function confirmByPasskey(
  ctx: ShopContext,
  asked: { personId: string; passkey: AuthenticationResponseJSON | undefined; address: string },
): Promise<Problem | null> {
  const { personId, passkey, address } = asked;
  if (!passkey) return notConfirmed("Use your passkey.");
  const tried = await asAttempt(ctx, { address, isKnownBrowser: true }, async () => {
    const used = await usePasskey(ctx, { personId, response: passkey });
    if (!used.ok) await tellOfCopy(ctx, used);
    return used.ok ? used : null;
  });
  if (!tried.ok) return tried.refusal;
  return tried.value ? null : notConfirmed("This passkey was not accepted. Please try again.");
}

/** Puts a passkey that counted back before the owner: somebody may have a copy of it. */
export async function tellOfCopy(ctx: ShopContext, used: Exclude<UsedPasskey, { ok: true }>): Promise<void> {
  if (used.reason !== "copied") return;
  const { passkey } = used;
  await ctx.db.transaction((tx) =>
    raiseIssue(tx, {
      kind: "passkey_copied",
      subject: passkey.id,
      orderId: null,
      message: `The passkey “${passkey.name}” was used with an older count than before, and refused: there may be a copy of it. Its owner should remove it under My account and add another`,
    }),
  );
}

function notConfirmed(message: string): Problem {
  return problem("invalid_state", message);
}
