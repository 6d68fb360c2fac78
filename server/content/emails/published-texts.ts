import { emailFieldTextsSchema } from "../../../domain/content/emails/email-edit.ts";
import type { ParsedEmail } from "../../../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, emailTextKinds, findEmailText } from "../../../domain/content/emails/texts.ts";
import { closeIssues, raiseIssue, syncIssues } from "../../issues/issues.ts";
import type { BaseContext } from "../../platform/base-context.ts";
import type { Db } from "../../platform/database/database.ts";
import { type RecurringTask, recurring } from "../../platform/jobs/jobs.ts";
import { readVersions } from "../queries.ts";
import { checkEmail } from "./check.ts";
import { completeEmail, defaultEmail, emailKey, emailKeys, readDefaultEmails } from "./default-texts.ts";

export type EmailTexts = {
  /** The owner's text, which is null if there is none or it cannot be read, and the default text, which can always be sent. */
  read(kind: EmailTextKind): Promise<{ ownText: OwnText | null; defaultWords: ParsedEmail }>;
  /** Logs that the owner's text could not be sent and raises an issue, once for each version. Never throws. */
  reportFailure(kind: EmailTextKind, ownText: OwnText, error: unknown): Promise<void>;
};
type OwnText = { versionId: number; words: ParsedEmail };

const failedIssue = "email_text_failed";

/** Published texts of e-mails, cached until the next one is published. */
export function openEmailTexts({
  db,
  changes,
  health,
  log,
}: Pick<BaseContext, "db" | "changes" | "health" | "log">): EmailTexts {
  readDefaultEmails();
  const readOwnTexts = changes.cached(["content"], async () => {
    const { ownTexts, unreadable } = await readOwnEmails(db);
    const names = unreadable.map(({ name }) => name).join(", ");
    const reason = names === "" ? null : `cannot be read, the default texts are sent: ${names}`;
    health.report("emails", reason, { canSell: true });
    return ownTexts;
  });
  return {
    async read(kind) {
      return { ownText: (await readOwnTexts()).get(kind) ?? null, defaultWords: defaultEmail(kind).words };
    },
    async reportFailure(kind, { versionId }, error) {
      log.error(
        { err: error, kind, versionId },
        "an e-mail's text could not be used; the default text was sent",
      );
      const message = `Your text of “${findEmailText(kind).name}” could not be sent, so the default text was sent instead. Please look at it under Texts and menu, Emails`;
      const issue = { kind: failedIssue, subject: `${kind} ${versionId}`, message };
      await db
        .transaction((tx) => raiseIssue(tx, issue))
        .catch((err: unknown) => log.warn({ err, kind }, "an issue could not be raised"));
    },
  };
}

/** The owner's published texts by kind, and the texts that cannot be read, e.g. because a later version of the shop wrote them. */
async function readOwnEmails(db: Db) {
  const { published, unreadable: unreadableKeys } = await readVersions(db, emailFieldTextsSchema, emailKeys);
  const ownTexts = new Map<EmailTextKind, OwnText>();
  const unreadable: { name: string; subject: string }[] = [];
  for (const kind of emailTextKinds) {
    const version = published.find(({ key }) => key === emailKey(kind));
    if (version?.text) {
      const { words, problems } = checkEmail(kind, completeEmail(kind, version.text), true);
      if (Object.keys(problems).length === 0) ownTexts.set(kind, { versionId: version.id, words });
      else unreadable.push({ name: findEmailText(kind).name, subject: `${kind} ${version.id}` });
    } else if (unreadableKeys.includes(emailKey(kind))) {
      unreadable.push({ name: findEmailText(kind).name, subject: kind });
    }
  }
  return { ownTexts, unreadable };
}

/** Raises an issue for each e-mail text that cannot be used, and closes it once the text can be used or was replaced. */
async function watchEmailTexts({ db, now }: Pick<BaseContext, "db" | "now">): Promise<void> {
  await db.transaction(async (tx) => {
    const { ownTexts, unreadable } = await readOwnEmails(tx);
    const closing = {
      resolution: "Automatically: the text was replaced or can be used again",
      now: now(),
    };
    const cases = unreadable.map(({ name, subject }) => ({
      subject,
      message: `Your text of “${name}” cannot be used, so the default text is sent. Please look at it under Texts and menu, Emails, and publish it again`,
    }));
    await syncIssues(tx, { kind: "email_text_unreadable", cases, ...closing });
    const usableSubjects = [...ownTexts].map(([kind, { versionId }]) => `${kind} ${versionId}`);
    await closeIssues(tx, { kind: failedIssue, except: usableSubjects, ...closing });
  });
}

/** Runs at each start and periodically, because a text may have been written by another version of the shop. */
export function emailTextsWatch(ctx: Pick<BaseContext, "db" | "now">): RecurringTask {
  const job = { name: "watch_email_texts", lane: "upkeep", priority: 0, everySeconds: 10 * 60 } as const;
  return recurring(job, () => watchEmailTexts(ctx));
}
