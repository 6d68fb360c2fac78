import { randomBytes } from "node:crypto";
import type * as v from "valibot";
import type { ConnectionsState, mailReportsFormSchema } from "../../domain/connections/connections.ts";
import type { ShopContext } from "../context.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { deleteSecret, ensureSecret, readSecret, writeSecret } from "../settings/secrets.ts";

const addressName = "mail_webhook";
const mailgunName = "mailgun_webhook";

/**
 * The URL to which a mail provider reports bounces and complaints, generated when the panel first shows it. Its secret is in the
 * query, which proxies do not log. The parameter is not called `token`, because the panel's responses contain no tokens of links.
 */
export async function readMailReportsState(
  ctx: ShopContext,
): Promise<Pick<ConnectionsState["mail"], "reportsUrl" | "hasMailgunKey">> {
  const key = await ensureSecret(ctx, addressName, () => randomBytes(24).toString("base64url"));
  const mailgunKey = await readSecret(ctx, mailgunName);
  const { publicUrl } = ctx.connections.environment;
  return {
    reportsUrl: key && `${publicUrl}/api/mail/reports?key=${key}`,
    hasMailgunKey: mailgunKey.state !== "unset",
  };
}

/** The secrets with which a report is checked; null if the panel has shown no URL yet, or this server cannot decrypt them. */
export async function readMailReportsKeys(
  ctx: ShopContext,
): Promise<{ key: string; mailgunKey: string | null } | null> {
  const key = await readSecret(ctx, addressName);
  const mailgunKey = await readSecret(ctx, mailgunName);
  if (key.state !== "set" || mailgunKey.state === "unreadable") return null;
  return { key: key.value, mailgunKey: mailgunKey.state === "set" ? mailgunKey.value : null };
}

export async function changeMailReports(
  ctx: ShopContext,
  { isNewAddress, mailgunKey, removesMailgunKey }: v.InferOutput<typeof mailReportsFormSchema>,
  viewer: Viewer,
): Promise<void> {
  if (!isNewAddress && mailgunKey === "" && !removesMailgunKey) return;
  await ctx.db.transaction(async (tx) => {
    if (isNewAddress) await deleteSecret(tx, addressName);
    if (removesMailgunKey) await deleteSecret(tx, mailgunName);
    else if (mailgunKey !== "") {
      const by = viewer.admin?.person?.id ?? null;
      const secret = { name: mailgunName, value: mailgunKey, now: ctx.now(), by };
      await writeSecret({ db: tx, secretsKey: ctx.secretsKey }, secret);
    }
    const what = "The address or the signing key for reports of bounces and complaints was changed";
    await notifyOwners(ctx, tx, { what, viewer });
  });
}
