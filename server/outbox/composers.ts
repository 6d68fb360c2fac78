import type { ParsedEmail } from "../../domain/content/emails/parsed-email.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { MessageKind } from "../../domain/outbox/outbox.ts";
import type { TextKind } from "../../domain/outbox/text-message.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { Message } from "./settle.ts";

/**
 * The context in which a feature composes a message. `Context` is a type parameter, because `ShopContext` contains the composers:
 * importing it here would make the types circular.
 */
export type MailContextOf<Context> = Context & {
  facts: ShopSettings;
  publicUrl: string;
  adminUrl: string;
  /** The sender of e-mails to shoppers. */
  shopperSender: Sender;
  /** Properties shared by all messages to the owner. */
  owner: { recipient: string | null; sender: Sender; secret: null };
};

export type Composed = {
  email: Email;
  sender: Sender;
  /** Null for a message to the owner while no owner address is configured: it is only saved to the mail folder. */
  recipient: string | null;
  /** The token that this message delivers. After sending, the message's data is erased, and its stored content has no token. */
  secret: string | null;
  /** Address for replies, if it is not the sender's. */
  replyTo?: string;
  /** Outbox ids of the earlier e-mails of the thread, oldest first; sent as `References` and `In-Reply-To`. */
  references?: string[];
  /** An unpublished text that the owner is testing; the e-mail's subject is marked as a test. */
  testText?: ParsedEmail;
  /** Whether a person wrote it, so that it is sent without the `Auto-Submitted` header. */
  isPersonal?: boolean;
  /** The URL that unsubscribes from this kind, for optional e-mails. */
  unsubscribeUrl?: string;
};

/**
 * Why an e-mail is not sent. `unneeded`: its subject was settled or deleted, or the recipient no longer wants it.
 * `expired`: its link expired before it could be sent. `erased`: the recipient's data was erased.
 */
export type NotSent = "unneeded" | "erased" | "expired";

/** Collects the current data for one kind of e-mail, by default to the message's recipient, a shopper. */
export type ComposerOf<Context> = (
  context: MailContextOf<Context>,
  message: Message,
) => Promise<(Pick<Composed, "email" | "secret"> & Partial<Composed>) | NotSent>;

/**
 * The body of a text message (SMS). It must be identical at every attempt, because a text that was already sent is found by its
 * body.
 */
export type TextComposerOf<Context> = (
  context: MailContextOf<Context>,
  message: Pick<Message, "orderId">,
) => Promise<string>;

/** The composers of all kinds of messages. */
export type ComposersOf<Context> = { [Kind in Exclude<MessageKind, TextKind>]: ComposerOf<Context> } & {
  [Kind in TextKind]: TextComposerOf<Context>;
};
