import type { Context } from "hono";
import type { Config } from "../platform/config.ts";
import { clientAddressReader, isLoopback } from "../platform/http/client-address.ts";
import { isFromOtherSite, isOriginAllowed } from "../platform/http/origin.ts";
import type { Env, NodeBindings } from "./app-types.ts";
import type { Caller } from "./gate.ts";

/** Reads from a request who calls. */
export type Callers = {
  /** The caller's IP address, even behind trusted proxies. */
  clientIp(c: Context<Env>): string;
  /** The caller of an API call, for the gate. */
  readCaller(c: Context<Env>, pathParams: Record<string, string>): Caller;
  /** Whether to redirect to https: requests over plain http, except from a trusted proxy or this machine. */
  mustGoToHttps(env: NodeBindings | undefined): boolean;
};

export function createCallers({ publicUrl, trustProxy }: Config): Callers {
  const reader = clientAddressReader(trustProxy);
  const isSecure = publicUrl.startsWith("https:");
  const peerAddress = (env: NodeBindings | undefined) => env?.incoming?.socket.remoteAddress ?? "127.0.0.1";
  const clientIp = (c: Context<Env>) =>
    reader.clientAddress(peerAddress(c.env), c.req.header("x-forwarded-for") ?? null);
  return {
    clientIp,
    readCaller: (c, pathParams) => ({
      headers: c.req.raw.headers,
      address: clientIp(c),
      isOriginAllowed: isOriginAllowed(c.req.raw, publicUrl),
      isFromOtherSite: isFromOtherSite(c.req.raw, publicUrl),
      pathParams,
      bearer: /^bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1],
      signal: () => c.req.raw.signal,
    }),
    mustGoToHttps(env) {
      if (!isSecure) return false;
      const peer = peerAddress(env);
      return !isLoopback(peer) && !reader.isTrusted(peer);
    },
  };
}
