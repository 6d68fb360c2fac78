import { createHash } from "node:crypto";
import { compressed, type Encoding, preferredEncoding } from "../platform/http/content-encoding.ts";

/** A rendered page, ready to be sent any number of times. */
export type CachedPage = {
  status: number;
  /** Size of all its encodings together. */
  bytes: number;
  forms: Record<Encoding, Form>;
};

/** Made once with its page, not for each request. Header names in lower case, each once. */
type ReadyAnswer = { status: number; headers: Record<string, string>; body: Buffer<ArrayBuffer> | null };

/** A page in one encoding. `unchanged`: the 304 for a client that has a copy; null: clients keep none. */
type Form = ReadyAnswer & { body: Buffer<ArrayBuffer>; unchanged: ReadyAnswer | null };

/** Headers that a 304 repeats (RFC 9110, 15.4.5), and the content security policy of the confirmed page. */
const repeatedHeaders = ["cache-control", "content-security-policy", "etag", "vary"];
const tags: Record<Encoding, string> = { identity: "", br: "-br", gzip: "-gz" };

/** Reads a whole response. Only a 200 gets an ETag, since clients keep no copy of other answers. */
export async function toCachedPage(response: Response): Promise<CachedPage> {
  const bodies = compressed(Buffer.from(await response.arrayBuffer()));
  const hash = createHash("sha256").update(bodies.identity).digest("base64url").slice(0, 22);
  const form = (encoding: Encoding): Form => {
    const headers: Record<string, string> = {
      ...Object.fromEntries(response.headers),
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
      ...(response.status === 200 ? { etag: `"${hash}${tags[encoding]}"` } : {}),
      "content-length": String(bodies[encoding].length),
      vary: "Accept-Encoding",
    };
    const repeated = Object.entries(headers).filter(([name]) => repeatedHeaders.includes(name));
    const unchanged = { status: 304, headers: Object.fromEntries(repeated), body: null };
    const { status } = response;
    return { status, headers, body: bodies[encoding], unchanged: status === 200 ? unchanged : null };
  };
  return {
    status: response.status,
    bytes: bodies.identity.length + bodies.br.length + bodies.gzip.length,
    forms: { identity: form("identity"), br: form("br"), gzip: form("gzip") },
  };
}

/** The parts of a request that select the form of a cached page. */
export type PageRequest = {
  method: string;
  acceptEncoding: string | null;
  ifNoneMatch: string | null;
};

/** The form in the client's preferred encoding, or a 304 if the client's copy is current. */
export function chooseForm(
  page: CachedPage,
  { method, acceptEncoding, ifNoneMatch }: PageRequest,
): ReadyAnswer {
  const form = page.forms[preferredEncoding(acceptEncoding)];
  const { status, headers, unchanged } = form;
  if (unchanged && ifNoneMatch !== null && isAmong(headers.etag, ifNoneMatch)) return unchanged;
  return method === "HEAD" ? { status, headers, body: null } : form;
}

export function toResponse(page: CachedPage, { method, headers }: Request): Response {
  const answer = chooseForm(page, {
    method,
    acceptEncoding: headers.get("accept-encoding"),
    ifNoneMatch: headers.get("if-none-match"),
  });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

function isAmong(etag: string | undefined, ifNoneMatch: string): boolean {
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.trim() === "*" || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([one]) => one === etag);
}
