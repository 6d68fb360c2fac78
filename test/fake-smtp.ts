import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** Reaction to a message: accept it, not respond until `release`, or fail as real servers do. */
export type SmtpBehavior =
  | "accept"
  | "try_later"
  | "no_such_address"
  | "no_relay"
  | "user_unknown"
  | "access_rejected"
  | "bad_sender"
  | "accept_then_hang_up"
  | "hang_up_at_recipient"
  | "hold"
  | "hold_then_refuse";

export type ReceivedMail = {
  to: string[];
  from: string;
  /** The sender's name in EHLO. */
  greeting: string;
  headers: Map<string, string>;
  body: string;
};

export type FakeSmtp = {
  url: string;
  /** All accepted messages, including those whose sender received no response. */
  received: ReceivedMail[];
  /** Reactions to the next messages, in sequence; later ones are accepted. */
  next: SmtpBehavior[];
  /** Does not respond to messages until `release`; those whose sender has disconnected are never accepted. */
  hold(): void;
  release(): void;
  /** Number of messages that wait for a response. */
  held(): number;
  /** Refuses connections and breaks open ones until `comeBack`, which uses the same port. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

/** A mail server on loopback with real SMTP, by default on a free port. */
export async function startFakeSmtp(login?: { user: string; password: string }, port = 0): Promise<FakeSmtp> {
  const received: ReceivedMail[] = [];
  const next: SmtpBehavior[] = [];
  let isHolding = false;
  const heldResponses = new Map<string, () => void>();
  const options: SMTPServerOptions = {
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: login ? ["STARTTLS"] : ["AUTH", "STARTTLS"],
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.password) return callback(null, { user: username });
      callback(smtpError(535, `5.7.8 ${username} with ${password} is not known`));
    },
    closeTimeout: 100,
    onRcptTo({ address }, _session, callback) {
      const [behavior] = next;
      if (behavior === "hang_up_at_recipient") {
        next.shift();
        for (const connection of server.connections) connection.close();
        return;
      }
      const replies: Partial<Record<string, string>> = {
        no_such_address: `5.1.1 <${address}>: no such mailbox`,
        user_unknown: "Recipient address rejected: User unknown in virtual mailbox table",
        access_rejected: "Access rejected",
        no_relay: `5.7.1 <${address}>: relaying denied`,
        bad_sender: "5.1.8 the sender's domain does not exist",
      };
      const reply = behavior && replies[behavior];
      if (!reply) return callback();
      next.shift();
      callback(smtpError(550, reply));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const behavior = next.shift() ?? "accept";
        if (behavior === "try_later") return callback(smtpError(451, "4.3.0 try again later"));
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : "",
          greeting: session.hostNameAppearsAs || "",
          ...parse(Buffer.concat(chunks).toString("latin1")),
        };
        const response = () => {
          if (behavior === "hold_then_refuse") return callback(smtpError(451, "4.3.0 try again later"));
          received.push(mail);
          if (behavior !== "accept_then_hang_up") return callback();
          for (const connection of server.connections) connection.close();
        };
        if (isHolding || behavior.startsWith("hold")) heldResponses.set(session.id, response);
        else response();
      });
    },
    onClose: (session) => void heldResponses.delete(session.id),
  };
  const listen = async (listenPort: number) => {
    server = new SMTPServer(options);
    // Tests break connections on purpose.
    server.on("error", () => undefined);
    const listening = server.listen(listenPort, "127.0.0.1");
    await once(listening, "listening");
    return listening.address();
  };
  let server: SMTPServer;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  const address = await listen(port);
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    next,
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const response of heldResponses.values()) response();
      heldResponses.clear();
    },
    held: () => heldResponses.size,
    goAway: close,
    async comeBack() {
      await listen(address.port);
    },
    close,
  };
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Unfolds headers, lowercases their names, and decodes quoted-printable bodies. */
function parse(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name.toLowerCase(), value.join(": ")];
    }),
  );
  const bytes = raw
    .slice(end + 4)
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { headers, body: Buffer.from(bytes, "latin1").toString("utf8") };
}
