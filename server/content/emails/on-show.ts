import { emailWordsSchema } from "../../../domain/content/emails/email-edit.ts";
import type { ParsedEmail } from "../../../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, emailTextKinds, emailTextOf } from "../../../domain/content/emails/texts.ts";
import { raiseIssue } from "../../issues/issues.ts";
import type { BaseContext } from "../../platform/base-context.ts";
import type { Db } from "../../platform/database/database.ts";
import { readVersions } from "../queries.ts";
import { checkEmail } from "./check.ts";
import { readShippedEmails, shippedEmail } from "./shipped.ts";
import { emailKey, emailKeys, wholeEmail } from "./stored.ts";

export type EmailTexts = {
  /** The owner's text, null if there is none that can be read, and the default text, which can always be sent. */
  read(kind: EmailTextKind): Promise<{ own: OwnWords | null; shipped: ParsedEmail }>;
  /** Logs that the owner's text could not be sent and raises an issue, once for each version. Never throws. */
  failed(kind: EmailTextKind, own: OwnWords, error: unknown): Promise<void>;
};
type OwnWords = { versionId: number; words: ParsedEmail };

export const failedIssue = "email_text_failed";

/** Published texts of e-mails, cached until the next one is published. */
export function openEmailTexts({
  db,
  changes,
  health,
  log,
}: Pick<BaseContext, "db" | "changes" | "health" | "log">): EmailTexts {
  readShippedEmails();
  const all = changes.cached(["content"], async () => {
    const { own, unreadable } = await readOwnEmails(db);
    const names = unreadable.map(({ name }) => name).join(", ");
    const reason = names === "" ? null : `cannot be read, the shop's own words are sent: ${names}`;
    health.report("emails", reason, { sells: true });
    return own;
  });
  return {
    async read(kind) {
      return { own: (await all()).get(kind) ?? null, shipped: shippedEmail(kind).words };
    },
    async failed(kind, { versionId }, error) {
      log.error(
        { err: error, kind, versionId },
        "an e-mail's text could not be used; the shop's own was sent",
      );
      const message = `Your text of “${emailTextOf(kind).name}” could not be sent, so the shop’s own went out. Please look at it under Texts and menu, Emails`;
      const issue = { kind: failedIssue, subject: `${kind} ${versionId}`, orderId: null, message };
      await db
        .transaction((tx) => raiseIssue(tx, issue))
        .catch((err: unknown) => log.warn({ err, kind }, "an issue could not be raised"));
    },
  };
}

/** The owner's published texts by kind, and those that cannot be read, e.g. written by a later version of the shop. */
export async function readOwnEmails(db: Db) {
  const stored = await readVersions(db, emailWordsSchema, emailKeys);
  const own = new Map<EmailTextKind, OwnWords>();
  const unreadable: { name: string; subject: string }[] = [];
  for (const kind of emailTextKinds) {
    const version = stored.published.find(({ key }) => key === emailKey(kind));
    if (version?.text) {
      const { words, problems } = checkEmail(kind, wholeEmail(kind, version.text), true);
      if (Object.keys(problems).length === 0) own.set(kind, { versionId: version.id, words });
      else unreadable.push({ name: emailTextOf(kind).name, subject: `${kind} ${version.id}` });
    } else if (stored.unreadable.includes(emailKey(kind))) {
      unreadable.push({ name: emailTextOf(kind).name, subject: kind });
    }
  }
  return { own, unreadable };
}
