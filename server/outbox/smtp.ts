import { createTransport } from "nodemailer";
import type { RenderedEmail, Sender } from "../../domain/outbox/email.ts";

export type Mail = {
  /** The outbox's id; a message sent again has the same Message-ID, so that mail programs show it once. */
  messageId: string;
  to: string;
  replyTo: string | null;
  /** A POST to this address unsubscribes, which mail programs offer as one click (RFC 8058). */
  unsubscribeUrl?: string | undefined;
  /** Outbox ids of the e-mails that it goes on from, oldest first. */
  answers?: string[] | undefined;
  /** A person wrote it: not marked as automatic, which mail programs may hide or not answer. */
  isWritten?: boolean | undefined;
  sender: Sender;
  rendered: RenderedEmail;
};

export type Mailer = {
  /**
   * Resolves when the mail server has taken the message; throws `MailRefused`, or another error if it may be retried.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** The mail server will never take a message for this recipient. */
export class MailRefused extends Error {
  override name = "MailRefused";
}

/** A server that trickles its answers would hold a connection forever without meeting the timeouts below. */
const sendMs = 60_000;

/**
 * Mail through `smtp(s)://user:password@host:port`, over that many connections at most. Without `from`, it comes from
 * no-reply at the shop's host.
 */
export function openMailer({
  smtpUrl,
  from,
  connections,
  publicUrl,
}: {
  smtpUrl: string;
  from: string | null;
  connections: number;
  publicUrl: string;
}): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    // The name in the SMTP greeting; by default this machine's, which may mean nothing.
    name: new URL(publicUrl).hostname,
    pool: true,
    maxConnections: connections,
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ messageId, to, replyTo, unsubscribeUrl, answers = [], isWritten, sender, rendered }) {
      const host = new URL(sender.publicUrl).hostname;
      const references = answers.map((id) => `<${id}@${host}>`);
      const inReplyTo = references.at(-1);
      try {
        await transport.sendMail({
          signal: AbortSignal.timeout(sendMs),
          from: from ?? { name: sender.brandName, address: `no-reply@${host}` },
          to: { name: "", address: to },
          ...(replyTo === null ? {} : { replyTo }),
          messageId: `<${messageId}@${host}>`,
          ...(inReplyTo === undefined ? {} : { inReplyTo, references }),
          ...rendered,
          headers: {
            ...(isWritten ? {} : { "Auto-Submitted": "auto-generated" }),
            ...(unsubscribeUrl === undefined
              ? {}
              : {
                  "List-Unsubscribe": `<${unsubscribeUrl}>`,
                  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                }),
          },
        });
      } catch (err) {
        if (isAddressRefused(err)) throw new MailRefused(err.message);
        throw err;
      }
    },
    close: () => transport.close(),
  };
}

/**
 * 5.1.x in answer to the recipient: no such address, for good. Any other refusal may be the configuration's fault
 * ("relaying denied") and is worth another try.
 */
function isAddressRefused(err: unknown): err is Error {
  return (
    err instanceof Error &&
    "command" in err &&
    err.command === "RCPT TO" &&
    "response" in err &&
    typeof err.response === "string" &&
    /^5\d\d[ -]5\.1\.\d/.test(err.response)
  );
}
