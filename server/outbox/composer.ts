import type { Email, Sender } from "../../domain/outbox/email.ts";
import type { Giving } from "../../domain/sales/giving.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import type { Message } from "./claim.ts";

export type ComposeParts = {
  db: Db;
  settings(): Promise<ShopSettings>;
  giving(): Promise<Giving>;
  /** Null: owner's messages are kept. */
  ownerEmail: string | null;
  publicUrl: string;
  /** Signs links. */
  secret: string;
  /** Whether payments are simulated. */
  isTestMode: boolean;
  now(): Date;
};

export type Composed = {
  email: Email;
  sender: Sender;
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

export type ComposeContext = ComposeParts & {
  facts: ShopSettings;
  adminUrl: string;
  toShopper: Sender;
  /** What every message to the owner has in common. */
  owner: { recipient: string | null; sender: Sender; secret: null };
};

/** Gathers the facts of one kind of message as they are now. `expired`: there is no use in sending it any more. */
export type Composer = (context: ComposeContext, message: Message) => Promise<Composed | "expired">;
