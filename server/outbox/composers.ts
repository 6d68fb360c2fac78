import type { ParsedEmail } from "../../domain/content/emails/parsed-email.ts";
import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { MessageKind } from "../../domain/outbox/outbox.ts";
import type { TextKind } from "../../domain/outbox/text-message.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { Message } from "./settle.ts";

/**
 * The context in which a feature gathers a message's facts. `Context` is the shop's: it holds the composers, so that naming it here
 * would make the types refer to each other.
 */
export type MailContextOf<Context> = Context & {
  facts: ShopSettings;
  publicUrl: string;
  adminUrl: string;
  toShopper: Sender;
  /** Common to all messages to the owner. */
  owner: { recipient: string | null; sender: Sender; secret: null };
};

export type Composed = {
  email: Email;
  sender: Sender;
  /** Null: it is the owner's, and no owner's address is configured. The message is saved. */
  recipient: string | null;
  /** The token that the message is there for: its data is erased once it is sent. No token stays in what the outbox keeps of its words. */
  secret: string | null;
  /** Where replies go instead of the sender's address. */
  replyTo?: string;
  /** Outbox ids of the e-mails it replies to, oldest first: mail programs show them as one thread. */
  answers?: string[];
  /** Other words than the published ones, as the owner tries them: its subject says that it is a test. */
  words?: ParsedEmail;
  /** Written by a person: not marked as automatic. */
  isWritten?: boolean;
  /** The address that unsubscribes from this kind, for optional e-mails. */
  unsubscribeUrl?: string;
};

/**
 * Why an e-mail is not sent. `unneeded`: what it was about is settled, gone, or no longer wanted. `expired`: its link was over before it
 * could be sent. `erased`: its reader's data was erased.
 */
export type NotSent = "unneeded" | "erased" | "expired";

/** Gathers the present facts of one kind of e-mail. */
export type ComposerOf<Context> = (
  context: MailContextOf<Context>,
  message: Message,
) => Promise<Composed | NotSent>;

/** The content of a text. It must be the same at every attempt, because an earlier one is found by it. */
export type TextComposerOf<Context> = (
  context: MailContextOf<Context>,
  message: Pick<Message, "orderId">,
) => Promise<string>;

/** How every kind of message gets its content. */
export type ComposersOf<Context> = { [Kind in Exclude<MessageKind, TextKind>]: ComposerOf<Context> } & {
  [Kind in TextKind]: TextComposerOf<Context>;
};
