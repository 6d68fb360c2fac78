import type { Email, RenderedEmail, Sender } from "../../domain/outbox/email.ts";
import type { MessageKind } from "../../domain/outbox/outbox.ts";
import { type TextKind, testText } from "../../domain/outbox/text-message.ts";
import { isErasedEmail } from "../../domain/privacy/erasure.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { ShopContext } from "../context.ts";
import type { Message } from "./claim.ts";

/** What a feature gathers the facts of a message with. */
export type MailContext = ShopContext & {
  facts: ShopSettings;
  publicUrl: string;
  adminUrl: string;
  toShopper: Sender;
  /** What every message to the owner has in common. */
  owner: { recipient: string | null; sender: Sender; secret: null };
};

export type Composed = {
  email: Email;
  sender: Sender;
  /** Null: the owner's, and no address of the owner is configured. The message is kept. */
  recipient: string | null;
  /** Must not stay readable in the outbox. */
  secret: string | null;
  /** Where answers go instead of the sender's own address. */
  replyTo?: string;
  /** Outbox ids of the e-mails that this one goes on from, oldest first: mail programs show them as one conversation. */
  answers?: string[];
  /** A person wrote it: not marked as automatic. */
  isWritten?: boolean;
  /** Where one click ends this kind of e-mail; for those a shopper can do without. */
  unsubscribeUrl?: string;
};

/** Gathers the facts of one kind of e-mail as they are now. `expired`: there is no use in sending it any more. */
export type Composer = (context: MailContext, message: Message) => Promise<Composed | "expired">;

/** What a text says. The same at every attempt: an earlier one is found again by it. */
export type TextComposer = (context: MailContext, message: Pick<Message, "orderId">) => Promise<string>;

/** How every kind of message gets its content. */
export type Composers = { [Kind in Exclude<MessageKind, TextKind>]: Composer } & {
  [Kind in TextKind]: TextComposer;
};
/** Those that one feature brings. */
export type Mail = Partial<Composers>;

/** The outbox's own, by which the owner tries whether messages arrive. */
export const testMail = {
  test_email: async ({ owner, adminUrl }) => ({
    ...owner,
    email: { kind: "test_email", adminUrl: `${adminUrl}/go-live` },
  }),
  test_text: async ({ facts, adminUrl }) => testText(facts.brandName, adminUrl),
} satisfies Mail;

/** The same for every message of the shop as it is now. */
export async function mailContext(ctx: ShopContext): Promise<MailContext> {
  const { publicUrl, mail } = ctx.config;
  const facts = await ctx.settings();
  const toShopper = {
    brandName: facts.brandName,
    currencyDisplay: facts.currencyDisplay,
    publicUrl,
    isTestMode: ctx.provider.mode !== "live",
    replyTo: facts.contact.email,
  };
  const owner = { recipient: mail.ownerEmail, sender: { ...toShopper, replyTo: null }, secret: null };
  return { ...ctx, facts, publicUrl, adminUrl: `${publicUrl}/admin`, toShopper, owner };
}

/** Nobody is written to whose data was erased. */
export async function composeEmail(
  ctx: ShopContext,
  message: Message,
  compose: Composer,
): Promise<Composed | "expired"> {
  const composed = await compose(await mailContext(ctx), message);
  const isErased = composed !== "expired" && composed.recipient !== null && isErasedEmail(composed.recipient);
  return isErased ? "expired" : composed;
}

type Templates = { renderEmail(email: Email, sender: Sender): Promise<RenderedEmail> };

let templates: Promise<Templates> | null = null;

/** Renders with the built templates (`npm run build`), loaded when the first message needs them. */
export async function renderEmail(email: Email, sender: Sender): Promise<RenderedEmail> {
  // Node runs no JSX, so the templates come built; the address is made at run time to keep them out of type checks.
  templates ??= import(new URL("../../build/emails/index.js", import.meta.url).href);
  return (await templates).renderEmail(email, sender);
}
