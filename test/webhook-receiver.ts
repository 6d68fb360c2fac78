import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  id: string;
  type: string;
  data: Record<string, unknown>;
  body: string;
  isValid: boolean;
};
/** A status to respond with, `silence`, an ended connection, another protocol, or a redirect. */
export type Reaction = number | "silence" | "cut" | "upgrade" | { redirectTo: string };

export type WebhookReceiver = {
  url: string;
  received: Received[];
  /** The secret that signatures are verified with. */
  secret: string;
  /** Responses to the next calls, in sequence; later calls get 204. */
  next: Reaction[];
  stop(): Promise<void>;
};

/** A receiver of webhooks on this machine. Verifies signatures as specified, without the library that the shop signs with. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const receiver = { received: [] as Received[], secret: "", next: [] as Reaction[] };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString("utf8");
    const header = (name: string) => String(request.headers[name] ?? "");
    const id = header("webhook-id");
    const { type, data } = JSON.parse(body);
    receiver.received.push({ id, type, data, body, isValid: isSigned(receiver.secret, id, header, body) });
    const reaction = receiver.next.shift() ?? 204;
    if (reaction === "silence") return;
    if (reaction === "cut") request.socket.destroy();
    else if (reaction === "upgrade") {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tls\r\n\r\n");
    } else if (typeof reaction === "object") response.writeHead(302, { Location: reaction.redirectTo }).end();
    else response.writeHead(reaction).end(reaction === 204 ? undefined : `answer ${reaction}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function isSigned(secret: string, id: string, header: (name: string) => string, body: string): boolean {
  const timestamp = header("webhook-timestamp");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return header("webhook-signature")
    .split(" ")
    .some((part) => {
      const [version, signature = ""] = part.split(",");
      const bytes = Buffer.from(signature, "base64");
      return version === "v1" && bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
}
