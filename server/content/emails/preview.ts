import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { type EmailFieldTexts, emailFieldTextsSchema } from "../../../domain/content/emails/email-edit.ts";
import { type EmailTextKind, emailTextKinds } from "../../../domain/content/emails/texts.ts";
import type { Email, RenderedEmail } from "../../../domain/outbox/email.ts";
import type { ShopContext } from "../../context.ts";
import { type Mail, mailContext, renderWith } from "../../outbox/compose.ts";
import { enqueueMessages } from "../../outbox/enqueue.ts";
import { checkEmail } from "./check.ts";
import { createSamples, type Sample } from "./samples.ts";

/** An e-mail with sample data about the shop's own product. */
async function readSample(ctx: ShopContext, kind: EmailTextKind, index: number): Promise<Email> {
  const samples = await readSamples(ctx, kind);
  const sample = samples[index] ?? samples[0];
  if (!sample) throw new Error(`there is no sample of ${kind}`);
  return sample.email;
}

export async function readSamples(ctx: ShopContext, kind: EmailTextKind): Promise<Sample[]> {
  const [product, { returns }] = await Promise.all([ctx.products.hero(), ctx.settings()]);
  return createSamples(kind, {
    publicUrl: ctx.config.publicUrl,
    product: { name: product?.name ?? "Your product", image: product?.images[0]?.url ?? null },
    priceCents: product?.price ?? 29_95,
    returns,
  });
}

/** Problems of an e-mail's text, and the e-mail rendered from it. */
export async function previewEmail(
  ctx: ShopContext,
  { kind, text, sample }: { kind: EmailTextKind; text: EmailFieldTexts; sample: number },
): Promise<{ problems: Record<string, string>; warnings: string[]; rendered: RenderedEmail | null }> {
  const { words, problems, warnings } = checkEmail(kind, text);
  if (Object.keys(problems).length > 0) return { problems, warnings, rendered: null };
  const { shopperSender } = await mailContext(ctx);
  const samples = await readSamples(ctx, kind);
  const rendered: RenderedEmail[] = [];
  // Checks all variants: a heading made of a name alone is empty if the name is unknown.
  for (const { name, email } of samples) {
    try {
      rendered.push(await renderWith(words, email, shopperSender));
    } catch (error) {
      const field = emptyField(error);
      if (field === null) throw error;
      problems[field] ??= `Says nothing in the case “${name}”: please add words of your own`;
    }
  }
  const isValid = Object.keys(problems).length === 0;
  return { problems, warnings, rendered: isValid ? (rendered[sample] ?? rendered[0] ?? null) : null };
}

function emptyField(error: unknown): string | null {
  return error instanceof Error && "field" in error && typeof error.field === "string" ? error.field : null;
}

/** E-mails the owner a preview with this text and sample data, a new one each time. Returns its id. */
export async function enqueueTextTest(
  { db }: ShopContext,
  { kind, sample, text }: { kind: EmailTextKind; sample: number; text: EmailFieldTexts },
): Promise<string> {
  const id = randomUUID();
  const data = { kind, sample: String(sample), text: JSON.stringify(text) };
  await enqueueMessages(db, [{ id, kind: "email_text_test", dedupeKey: `email_text_test:${id}`, data }]);
  return id;
}

const testData = v.object({
  kind: v.picklist(emailTextKinds),
  sample: v.pipe(v.string(), v.toNumber()),
  text: v.pipe(v.string(), v.parseJson(), emailFieldTextsSchema),
});

export const emailTextsMail = {
  async email_text_test(context, message) {
    const { kind, sample, text } = v.parse(testData, message.data);
    return {
      email: await readSample(context, kind, sample),
      testText: checkEmail(kind, text).words,
      recipient: context.owner.recipient,
      secret: null,
    };
  },
} satisfies Mail;
