import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Notice, Subscription } from "../domain/push/device.ts";

type ReceivedPush = {
  notice: Notice;
  /** Claims signed by the shop: push service and sender. */
  claims: { aud: string; sub: string; exp: number };
  publicKey: string;
  topic: string | undefined;
  ttl: string | undefined;
};

/** A browser: its keys, and the notifications that its push service has accepted for it. */
export type FakePhone = { subscription: Subscription; received: ReceivedPush[] };

export type FakePush = {
  env: Record<string, string>;
  phone(): FakePhone;
  /**
   * Responses to the next notifications of a phone, in turn; afterwards all are accepted. `hang`: no response; `upgrade`: another
   * protocol.
   */
  next: Map<FakePhone, (number | { status: number; retryAfter: string } | "hang" | "upgrade")[]>;
  close(): Promise<void>;
};

const host = "https://push.browser-maker.com";

/** A push service on loopback with browsers that decrypt their notifications (RFC 8188, 8291, 8292). */
export async function startFakePush(): Promise<FakePush> {
  const phones = new Map<string, FakePhone & { decrypt(body: Buffer): Notice }>();
  const next: FakePush["next"] = new Map();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const phone = phones.get(request.url ?? "");
    if (!phone) return void response.writeHead(404).end();
    const [reaction = 201] = next.get(phone)?.splice(0, 1) ?? [];
    if (reaction === "hang") return;
    if (reaction === "upgrade") {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tls\r\n\r\n");
      return;
    }
    const { status, retryAfter } = typeof reaction === "number" ? { status: reaction } : reaction;
    if (status < 300) {
      const { headers } = request;
      const { claims, publicKey } = readVapid(headers.authorization ?? "");
      const topic = headers.topic?.toString();
      if (headers["content-encoding"] !== "aes128gcm") throw new Error("not aes128gcm");
      phone.received.push({
        notice: phone.decrypt(body),
        claims,
        publicKey,
        topic,
        ttl: headers.ttl?.toString(),
      });
    }
    response.writeHead(status, retryAfter === undefined ? {} : { "Retry-After": retryAfter }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: { WEB_PUSH_API_BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    next,
    phone() {
      const keys = createECDH("prime256v1");
      const p256dh = keys.generateKeys();
      const auth = randomBytes(16);
      const path = `/send/${randomBytes(12).toString("base64url")}`;
      const phone = {
        subscription: {
          endpoint: host + path,
          keys: { p256dh: p256dh.toString("base64url"), auth: auth.toString("base64url") },
        },
        received: [],
        decrypt(body: Buffer): Notice {
          const salt = body.subarray(0, 16);
          const keyLength = body.readUInt8(20);
          const sender = body.subarray(21, 21 + keyLength);
          const derive = (secret: Buffer, from: Buffer, info: string | Buffer, length: number) =>
            Buffer.from(hkdfSync("sha256", secret, from, info, length));
          const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, sender]);
          const input = derive(keys.computeSecret(sender), auth, info, 32);
          const key = derive(input, salt, "Content-Encoding: aes128gcm\0", 16);
          const nonce = derive(input, salt, "Content-Encoding: nonce\0", 12);
          const encrypted = body.subarray(21 + keyLength);
          const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(encrypted.subarray(-16));
          const paddedText = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
          return JSON.parse(paddedText.subarray(0, paddedText.lastIndexOf(2)).toString());
        },
      };
      phones.set(path, phone);
      return phone;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Throws if the signature was not made by the given key. */
function readVapid(authorization: string): Pick<ReceivedPush, "claims" | "publicKey"> {
  const [, head = "", payload = "", signature = "", publicKey = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(publicKey, "base64url");
  const part = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x: part(1), y: part(33) }, format: "jwk" });
  const signedData = Buffer.from(`${head}.${payload}`);
  const isSigned = verify(
    "sha256",
    signedData,
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("a notification without the shop’s signature");
  return { claims: JSON.parse(Buffer.from(payload, "base64url").toString()), publicKey };
}
