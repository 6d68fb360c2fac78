import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { type EmailWords, emailWordsSchema } from "../../../domain/content/emails/email-edit.ts";
import { type EmailTextKind, emailTextKinds } from "../../../domain/content/emails/texts.ts";
import type { ShopContext } from "../../context.ts";
import type { Mail } from "../../outbox/compose.ts";
import { enqueueMessages } from "../../outbox/enqueue.ts";
import { checkEmail } from "./check.ts";
import { sampleOf } from "./preview.ts";

/** E-mails the owner a preview with this text and invented facts, a new one each time. Returns its id. */
export async function enqueueTextTest(
  { db }: ShopContext,
  { kind, sample, text }: { kind: EmailTextKind; sample: number; text: EmailWords },
): Promise<string> {
  const id = randomUUID();
  const data = { kind, sample: String(sample), text: JSON.stringify(text) };
  await enqueueMessages(db, [{ id, kind: "email_text_test", dedupeKey: `email_text_test:${id}`, data }]);
  return id;
}

const testData = v.object({
  kind: v.picklist(emailTextKinds),
  sample: v.pipe(v.string(), v.toNumber()),
  text: v.pipe(v.string(), v.parseJson(), emailWordsSchema),
});

export const emailTextsMail = {
  async email_text_test(context, message) {
    const { kind, sample, text } = v.parse(testData, message.data);
    return {
      email: await sampleOf(context, kind, sample),
      words: checkEmail(kind, text).words,
      sender: context.toShopper,
      recipient: context.owner.recipient,
      secret: null,
    };
  },
} satisfies Mail;
