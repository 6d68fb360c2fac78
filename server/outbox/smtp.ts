import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { RenderedEmail, Sender } from "../../domain/outbox/email.ts";

export type Mail = {
  /** The outbox's id, also used as Message-ID, so that mail programs show a message that was sent twice only once. */
  messageId: string;
  to: string;
  replyTo: string | null;
  /** A POST to this URL unsubscribes; mail programs have a button for it (RFC 8058). */
  unsubscribeUrl?: string | undefined;
  /** Outbox ids of the earlier e-mails of the thread, oldest first. */
  references?: string[] | undefined;
  /**
   * Whether a person wrote it. It is then sent without the `Auto-Submitted` header, because mail programs may hide e-mails with
   * it.
   */
  isPersonal?: boolean | undefined;
  sender: Sender;
  rendered: RenderedEmail;
  /** Whether it is part of a newsletter, which is sent over a separate connection, so that other mail never waits for it. */
  isBulk?: boolean | undefined;
};

export type Mailer = {
  /** Resolves when the mail server has accepted the message. Throws `MailRefused`, or `MailFailed` if it may be retried. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** The mail server will never accept a message for this recipient. */
export class MailRefused extends Error {
  override name = "MailRefused";
  /** The same as the `reason` of `MailFailed`. */
  readonly reason: string;

  constructor(error: SmtpError) {
    super(error.message);
    this.reason = smtpReason(error);
  }
}

/** An e-mail that could not be sent but may be retried. */
export class MailFailed extends Error {
  override name = "MailFailed";
  /** The cause, to be shown after a colon: "connection refused". Contains neither addresses nor the user name. */
  readonly reason: string;
  /** Whether the server accepted the sign-in but refused the message. */
  readonly isAnswered: boolean;
  /** Whether the refusal may concern this recipient alone. */
  readonly isAboutRecipient: boolean;
  /** Whether the refusal is permanent (5xx). */
  readonly isPermanent: boolean;
  /** Whether the server may have accepted the message, because the connection broke after the message and before the response. */
  readonly mayHaveArrived: boolean;

  constructor(error: SmtpError, isHandedOver: boolean) {
    super(error.code === "EAUTH" ? smtpReason(error) : error.message);
    this.reason = smtpReason(error);
    this.isAnswered = isResponse(error);
    this.isAboutRecipient = isAboutRecipient(error);
    this.isPermanent = (error.responseCode ?? 0) >= 500;
    this.mayHaveArrived = isHandedOver && error.responseCode === undefined;
  }
}

/** Limits the whole sending, because a server that trickles its responses never exceeds the timeouts below. */
const sendTimeoutMs = 60_000;

/**
 * Opens a mailer for `smtp(s)://user:password@host:port` with a maximum number of connections. Without `from`, the sender is
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
  const openTransport = (maxConnections: number) =>
    createTransport({
      ...connectionOptions(smtpUrl, publicUrl),
      pool: true,
      maxConnections,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    });
  const transport = openTransport(connections);
  // Both transports connect when they send their first message.
  const bulkTransport = openTransport(1);
  /** Newsletters by Message-ID, as streams: reading begins once the server has accepted sender and recipient. */
  const bulkStreams = new Map<string, Readable>();
  bulkTransport.use("stream", ({ message }, done) => {
    message.processFunc((stream) => {
      bulkStreams.set(message.messageId(), stream);
      return stream;
    });
    done();
  });
  return {
    async send({
      messageId,
      to,
      replyTo,
      unsubscribeUrl,
      references = [],
      isPersonal,
      isBulk,
      sender,
      rendered,
    }) {
      const host = new URL(sender.publicUrl).hostname;
      const threadIds = references.map((id) => `<${id}@${host}>`);
      const inReplyTo = threadIds.at(-1);
      const fullMessageId = `<${messageId}@${host}>`;
      try {
        await (isBulk ? bulkTransport : transport).sendMail({
          signal: AbortSignal.timeout(sendTimeoutMs),
          from: from ?? { name: sender.brandName, address: `no-reply@${host}` },
          to: { name: "", address: to },
          ...(replyTo === null ? {} : { replyTo }),
          messageId: fullMessageId,
          ...(inReplyTo === undefined ? {} : { inReplyTo, references: threadIds }),
          ...rendered,
          headers: {
            ...(isPersonal ? {} : { "Auto-Submitted": "auto-generated" }),
            ...(unsubscribeUrl === undefined
              ? {}
              : {
                  "List-Unsubscribe": `<${unsubscribeUrl}>`,
                  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                }),
          },
        });
      } catch (err) {
        const error = err as SmtpError;
        const isHandedOver = bulkStreams.get(fullMessageId)?.readableEnded ?? false;
        throw isAddressRefused(error) ? new MailRefused(error) : new MailFailed(error, isHandedOver);
      } finally {
        bulkStreams.delete(fullMessageId);
      }
    },
    close() {
      transport.close();
      bulkTransport.close();
    },
  };
}

function connectionOptions(smtpUrl: string, publicUrl: string) {
  return {
    url: smtpUrl,
    // The name in the SMTP greeting. The default is this machine's name, which may be meaningless.
    name: new URL(publicUrl).hostname,
    dnsTimeout: 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Whether the recipient permanently does not exist: 5.1.x in response to the address, or 550, 551 or 553 with words to that effect.
 * Any other refusal may be a fault of the configuration ("relaying denied", "access rejected"; 5.1.7 and 5.1.8 are about the
 * sender's address) and is retried.
 */
function isAddressRefused({ command, response = "" }: SmtpError): boolean {
  if (command !== "RCPT TO" || /\bsender(?!@)/i.test(response)) return false;
  if (/^5\d\d[ -]5\.1\.(?![78]\b)\d/.test(response)) return true;
  return /^55[013][ -](?!\d\.\d)/.test(response) && unknownRecipient.test(response);
}

/** "User unknown", "No such user here", "mailbox not found", "no mailbox here by that name". */
const unknownRecipient =
  /\b(user|recipient|mailbox) (is )?(unknown|not found|does(n.?t| not) exist)\b|\b(unknown|no such) (user|recipient|mailbox)\b|\bno mailbox here by that name\b/i;

/** Nodemailer's error. */
type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

/** Whether the server rejected the message itself, after signing in. */
function isResponse({ command, responseCode }: SmtpError): boolean {
  return responseCode !== undefined && /^(MAIL FROM|RCPT TO|DATA)/.test(command ?? "");
}

/**
 * X.1.X and X.2.X are about an address or its mailbox. Other permanent refusals of recipient or content may be, too, except
 * "relaying denied", which is about the shop, and "spam", which is about the message.
 */
function isAboutRecipient(error: SmtpError): boolean {
  const { command, responseCode = 0, response = "" } = error;
  if (!isResponse(error) || command === "MAIL FROM") return false;
  return /^\d{3}[ -]\d\.[12]\.\d/.test(response) || responseCode >= 500;
}

const maxShownResponseLength = 160;

/** Cause of a failure, for use in a sentence. Responses to the sign-in are not quoted, because they may contain the user name. */
function smtpReason(error: SmtpError): string {
  const { code, responseCode, response, message } = error;
  if (code === "EAUTH") {
    return `the mail server does not accept the user and password${responseCode === undefined ? "" : ` (${responseCode})`}`;
  }
  if (isResponse(error)) {
    const text = withoutAddresses((response ?? message).replace(/\s+/g, " ")).slice(
      0,
      maxShownResponseLength,
    );
    return `the mail server answers “${text}”`;
  }
  if (/ECONNREFUSED/.test(message)) return "connection refused";
  if (code === "EDNS" || /ENOTFOUND|EAI_AGAIN/.test(message)) return "the mail server’s name is not found";
  if (isTlsProblem(error)) return "no secure connection to the mail server can be established";
  if (responseCode !== undefined) return `the mail server refuses this shop (${responseCode})`;
  if (code === "ETIMEDOUT" || /time(d )?out|ETIMEDOUT|abort/i.test(message)) {
    return "the mail server does not answer";
  }
  if (/EHOSTUNREACH|ENETUNREACH/.test(message)) return "the mail server cannot be reached";
  return "the connection to the mail server breaks";
}

function isTlsProblem({ code, message }: Pick<SmtpError, "code" | "message">): boolean {
  return code === "ETLS" || code === "ESTARTTLS" || /wrong version number|certificate|SSL|TLS/i.test(message);
}

/** Masks addresses anywhere in a text: "ada@example.com" -> "a***@example.com". Scans each word only once. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?<![^\s<>@"'(])([^\s<>@"'(]?)[^\s<>@"'(]*@/g, "$1***@");
}

type SignInTest =
  | { ok: true }
  | { ok: false; isUnreachable: boolean; field: "host" | "user" | null; message: string };

/** A short timeout, because the owner waits for the result. */
const signInTimeoutMs = 15_000;

/** Tests signing in at a mail server. Its response is not quoted, because it may contain the user name. */
export async function tryMailServer(smtpUrl: string, publicUrl: string): Promise<SignInTest> {
  const transport = createTransport({
    ...connectionOptions(smtpUrl, publicUrl),
    connectionTimeout: 8_000,
    greetingTimeout: 8_000,
    socketTimeout: 8_000,
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error("silent"), { code: "ETIMEDOUT" })),
      signInTimeoutMs,
    );
  });
  try {
    await Promise.race([transport.verify(), timeout]);
    return { ok: true };
  } catch (error) {
    return mailRefusal(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

function mailRefusal(error: unknown): SignInTest {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string };
  const suffix = responseCode === undefined ? "" : ` (it answered ${responseCode})`;
  const refuse = (field: "host" | "user" | null, message: string) =>
    ({ ok: false, isUnreachable: false, field, message }) as const;
  if (code === "EAUTH") {
    return refuse("user", `The mail server does not accept this user and password${suffix}`);
  }
  if (code === "EDNS" || /ENOTFOUND/.test(message ?? "")) {
    return refuse("host", "There is no mail server of this name");
  }
  if (isTlsProblem({ ...(code === undefined ? {} : { code }), message: message ?? "" })) {
    return refuse(
      "host",
      "No secure connection to the mail server could be established. Check port and security",
    );
  }
  if (responseCode !== undefined && responseCode >= 500) {
    return refuse(null, `The mail server refuses this shop${suffix}`);
  }
  return { ok: false, isUnreachable: true, field: null, message: "The mail server could not be reached" };
}
