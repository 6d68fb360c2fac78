import type { ParsedEmail } from "../../domain/content/emails/parsed-email.ts";
import { isEmailTextKind } from "../../domain/content/emails/texts.ts";
import type { Email, RenderedEmail, Sender } from "../../domain/outbox/email.ts";
import { testText } from "../../domain/outbox/text-message.ts";
import { isErasedEmail } from "../../domain/privacy/erasure.ts";
import type { ShopContext } from "../context.ts";
import type {
  Composed,
  ComposerOf,
  ComposersOf,
  MailContextOf,
  NotSent,
  TextComposerOf,
} from "./composers.ts";
import type { Message } from "./settle.ts";

export type MailContext = MailContextOf<ShopContext>;
export type Composer = ComposerOf<ShopContext>;
export type TextComposer = TextComposerOf<ShopContext>;
/** Composers of the kinds of message that belong to one feature. */
export type Mail = Partial<ComposersOf<ShopContext>>;

/** Test messages by which the owner checks that messages are delivered. */
export const testMail = {
  test_email: async ({ owner, adminUrl }) => ({
    ...owner,
    email: { kind: "test_email", adminUrl: `${adminUrl}/go-live` },
  }),
  test_text: async ({ facts, adminUrl }) => testText(facts.brandName, adminUrl),
} satisfies Mail;

/** The context of every message, with the current settings. */
export async function mailContext(ctx: ShopContext): Promise<MailContext> {
  const { publicUrl, mail } = ctx.config;
  const [facts, { timeZone }] = await Promise.all([ctx.settings(), ctx.ownerSettings()]);
  const shopperSender = {
    brandName: facts.brandName,
    currencyDisplay: facts.currencyDisplay,
    publicUrl,
    timeZone,
    isTestMode: ctx.provider.mode !== "live",
    replyTo: facts.contact.email,
    seller: { ...facts.seller, phone: facts.contact.phone, returns: facts.returns },
  };
  const ownerSender = { ...shopperSender, replyTo: null, seller: null };
  const owner = { recipient: mail.ownerEmail, sender: ownerSender, secret: null };
  return { ...ctx, facts, publicUrl, adminUrl: `${publicUrl}/admin`, shopperSender, owner };
}

/** Composes an e-mail. Returns `erased` if its recipient's data was erased. */
export async function composeEmail(
  ctx: ShopContext,
  message: Message,
  compose: Composer,
): Promise<Composed | NotSent> {
  const context = await mailContext(ctx);
  const result = await compose(context, message);
  if (typeof result === "string") return result;
  const composedEmail = { sender: context.shopperSender, recipient: message.recipient, ...result };
  return composedEmail.recipient !== null && isErasedEmail(composedEmail.recipient)
    ? "erased"
    : composedEmail;
}

type Templates = {
  renderEmail(email: Email, sender: Sender, text: ParsedEmail | null): Promise<RenderedEmail>;
};

let templates: Promise<Templates> | null = null;

/** Renders an e-mail with the owner's published text, or with the default text if that cannot be rendered. */
export async function renderEmail(
  { emailTexts }: ShopContext,
  { email, sender, testText }: Composed,
): Promise<RenderedEmail> {
  const { kind } = email;
  if (testText !== undefined) {
    const test = await renderWith(testText, email, sender);
    return { ...test, subject: `Test: ${test.subject}` };
  }
  if (!isEmailTextKind(kind)) return renderWith(null, email, sender);
  const { ownText, defaultWords } = await emailTexts.read(kind);
  if (ownText !== null) {
    try {
      return await renderWith(ownText.words, email, sender);
    } catch (error) {
      await emailTexts.reportFailure(kind, ownText, error);
    }
  }
  return renderWith(defaultWords, email, sender);
}

/** Renders with the built templates (`npm run build`), loaded when the first message needs them. */
export async function renderWith(
  parsedText: ParsedEmail | null,
  email: Email,
  sender: Sender,
): Promise<RenderedEmail> {
  // Node cannot run JSX, so the build compiles the templates. Their path is computed, to keep them out of type checks.
  templates ??= import(new URL("../../build/emails/index.js", import.meta.url).href);
  return (await templates).renderEmail(email, sender, parsedText);
}
