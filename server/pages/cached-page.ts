import { createHash } from "node:crypto";
import { type Encoding, encode, preferredEncoding } from "../platform/http/content-encoding.ts";

/** A rendered page, ready to be sent any number of times. */
export type CachedPage = {
  status: number;
  /** Approximate size of all encodings together. */
  bytes: number;
  /** Compressed on first use: few clients accept only gzip. */
  variant(encoding: Encoding): Variant;
};

/** A response with precomputed headers, whose names are unique and in lower case. */
type ReadyResponse = { status: number; headers: Record<string, string>; body: Buffer<ArrayBuffer> | null };

/** A page in one encoding. `notModified`: the 304 for a client with a current copy; null if clients keep no copies. */
type Variant = ReadyResponse & { body: Buffer<ArrayBuffer>; notModified: ReadyResponse | null };

/** Headers that a 304 repeats (RFC 9110, 15.4.5), and the content security policy of the confirmed page. */
const repeatedHeaders = ["cache-control", "content-security-policy", "etag", "vary"];
/** Size of a page with Brotli and with gzip together, as a share of the page. */
const compressedShare = 0.5;
const etagSuffixes: Record<Encoding, string> = { identity: "", br: "-br", gzip: "-gz" };

/** Reads a whole response. Only a 200 gets an ETag, since clients keep no copy of other responses. */
export async function toCachedPage(response: Response): Promise<CachedPage> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  const common = Object.fromEntries(response.headers);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const variants: Partial<Record<Encoding, Variant>> = {};
  const variant = (encoding: Encoding): Variant => {
    const cached = variants[encoding];
    if (cached) return cached;
    const body = encode(bytes, encoding);
    const headers: Record<string, string> = {
      ...common,
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
      ...(status === 200 ? { etag: `"${hash}${etagSuffixes[encoding]}"` } : {}),
      "content-length": String(body.length),
      vary: "Accept-Encoding",
    };
    const repeated = Object.entries(headers).filter(([name]) => repeatedHeaders.includes(name));
    const notModified = { status: 304, headers: Object.fromEntries(repeated), body: null };
    const newVariant = { status, headers, body, notModified: status === 200 ? notModified : null };
    variants[encoding] = newVariant;
    return newVariant;
  };
  return { status, bytes: Math.ceil(bytes.length * (1 + compressedShare)), variant };
}

/** The parts of a request that select the variant of a cached page. */
type PageRequest = {
  method: string;
  acceptEncoding: string | null;
  ifNoneMatch: string | null;
};

/** The variant in the client's preferred encoding, or a 304 if the client's copy is current. */
export function selectVariant(
  page: CachedPage,
  { method, acceptEncoding, ifNoneMatch }: PageRequest,
): ReadyResponse {
  const variant = page.variant(preferredEncoding(acceptEncoding));
  const { status, headers, notModified } = variant;
  if (notModified && ifNoneMatch !== null && isAmong(headers.etag, ifNoneMatch)) return notModified;
  return method === "HEAD" ? { status, headers, body: null } : variant;
}

export function toResponse(page: CachedPage, { method, headers }: Request): Response {
  const variant = selectVariant(page, {
    method,
    acceptEncoding: headers.get("accept-encoding"),
    ifNoneMatch: headers.get("if-none-match"),
  });
  return new Response(variant.body, { status: variant.status, headers: variant.headers });
}

function isAmong(etag: string | undefined, ifNoneMatch: string): boolean {
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.trim() === "*" || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}
