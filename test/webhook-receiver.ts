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
/** A status to answer, `silence`, an ended connection, or a redirect. */
export type Manner = number | "silence" | "cut" | { redirectTo: string };

export type WebhookReceiver = {
  url: string;
  received: Received[];
  /** The secret that signatures are verified with. */
  secret: string;
  /** How each next call is answered, then 204. */
  next: Manner[];
  stop(): Promise<void>;
};

/** A receiver of webhooks on this machine. Verifies the signature by the specification's words, with no library. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const receiver = { received: [] as Received[], secret: "", next: [] as Manner[] };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString("utf8");
    const header = (name: string) => String(request.headers[name] ?? "");
    const id = header("webhook-id");
    const { type, data } = JSON.parse(body);
    receiver.received.push({ id, type, data, body, isValid: isSigned(receiver.secret, id, header, body) });
    const manner = receiver.next.shift() ?? 204;
    if (manner === "silence") return;
    if (manner === "cut") request.socket.destroy();
    else if (typeof manner === "object") response.writeHead(302, { Location: manner.redirectTo }).end();
    else response.writeHead(manner).end(manner === 204 ? undefined : `answer ${manner}`);
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
    .some((each) => {
      const [version, signature = ""] = each.split(",");
      const given = Buffer.from(signature, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
