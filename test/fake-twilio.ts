import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Reaction to a text: accept it, or fail as the real service does. */
type TwilioReaction =
  | "accept"
  | "no_such_number"
  | "bad_credentials"
  | "away"
  | "accept_then_hang_up"
  // Its response never ends.
  | "drip";

type TextStatus = "queued" | "sent" | "delivered" | "undelivered" | "failed";
type ReceivedText = {
  sid: string;
  to: string;
  from: string;
  body: string;
  createdAt: Date;
  status: TextStatus;
  errorCode: number | null;
};

export type FakeTwilio = {
  /** Environment variables for the shop. */
  env: Record<string, string>;
  /** All accepted texts, including those whose sender received no response. */
  received: ReceivedText[];
  /** Reactions to the next texts, in sequence; later ones are accepted. */
  next: TwilioReaction[];
  /** Sets the delivery status of all accepted texts. */
  settle(status: TextStatus, errorCode?: number): void;
  close(): Promise<void>;
};

const accountSid = `AC${"0".repeat(32)}`;
const authToken = "twilio-test-token";
const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
const collection = `/2010-04-01/Accounts/${accountSid}/Messages`;

const refusals: Partial<Record<TwilioReaction, { status: number; code: number; message: string }>> = {
  away: { status: 503, code: 20503, message: "Service unavailable" },
  bad_credentials: { status: 401, code: 20003, message: "Authenticate" },
  no_such_number: { status: 400, code: 21211, message: "The 'To' number is not a valid phone number" },
};

/** Twilio's API for texts on a free port of loopback: the calls that its SDK makes. */
export async function startFakeTwilio(): Promise<FakeTwilio> {
  const received: ReceivedText[] = [];
  const next: TwilioReaction[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://twilio.test");
    const matchingText = received.find(({ sid }) => pathname === `${collection}/${sid}.json`);
    if (request.headers.authorization !== authorization) refuse(response, 401, 20003, "Authenticate");
    else if (pathname === `/2010-04-01/Accounts/${accountSid}.json`) sendAccount(response);
    else if (matchingText) result(response, 200, resource(matchingText));
    else if (pathname !== `${collection}.json`) refuse(response, 404, 20404, "Not found");
    else if (request.method === "POST") receiveText(new URLSearchParams(await readBody(request)), response);
    else {
      const matchingTexts = received.filter(({ to }) => to === searchParams.get("To")).reverse();
      result(response, 200, { messages: matchingTexts.map(resource), next_page_uri: null, page: 0 });
    }
  });

  function sendAccount(response: ServerResponse): void {
    const refusal = refusals[next[0] ?? "accept"];
    if (refusal) {
      next.shift();
      refuse(response, refusal.status, refusal.code, refusal.message);
      return;
    }
    result(response, 200, { sid: accountSid, status: "active", type: "Full" });
  }

  function receiveText(form: URLSearchParams, response: ServerResponse): void {
    const reaction = next.shift() ?? "accept";
    const refusal = refusals[reaction];
    if (refusal) {
      refuse(response, refusal.status, refusal.code, `${refusal.message}: ${form.get("To")}`);
      return;
    }
    if (reaction === "drip") {
      const dripping = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(dripping));
      return;
    }
    const text: ReceivedText = {
      sid: `SM${randomUUID().replaceAll("-", "")}`,
      to: form.get("To") ?? "",
      from: form.get("From") ?? form.get("MessagingServiceSid") ?? "",
      body: form.get("Body") ?? "",
      createdAt: new Date(),
      status: "queued",
      errorCode: null,
    };
    received.push(text);
    if (reaction === "accept_then_hang_up") response.destroy();
    else result(response, 201, resource(text));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: authToken,
      TWILIO_FROM: "+15005550006",
      TWILIO_API_BASE: `http://127.0.0.1:${port}`,
    },
    received,
    next,
    settle(status, errorCode) {
      for (const text of received) Object.assign(text, { status, errorCode: errorCode ?? null });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function resource({ sid, to, from, body, createdAt, status, errorCode }: ReceivedText) {
  return {
    sid,
    account_sid: accountSid,
    to,
    from,
    body,
    status,
    error_code: errorCode,
    error_message: null,
    date_created: createdAt.toUTCString(),
    date_updated: createdAt.toUTCString(),
    date_sent: null,
    direction: "outbound-api",
    num_segments: "1",
  };
}

function result(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  result(response, status, { status, code, message, more_info: "" });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
