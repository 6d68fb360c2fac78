import { isIP } from "node:net";
import * as v from "valibot";
import { carriers } from "../../domain/orders/tracking.ts";
import { isPublicAddress, requestExternal } from "../platform/http/public-lookup.ts";
import { readUpTo } from "../platform/http/request-body.ts";
import { CarrierRefused } from "./carrier.ts";

/** Timeouts of reading and writing calls; carriers may take several seconds to make a label. */
const timeoutsMs = { GET: 8_000, POST: 20_000 };
/** Maximum size of a label's picture or other response. */
const maxResponseBytes = 4 * 1024 * 1024;
/** Time (ms) for which a provider that timed out is not called, except by one caller that tests it. */
const silencePauseMs = 30_000;
/** For each base URL of a provider that timed out, the time (`performance.now()`) until which it is not called. */
const silentUntil = new Map<string, number>();

export type ProviderAccess = {
  title: string;
  apiKey: string;
  base: string;
  authorization: string;
};

/** A 4xx response: the provider did nothing. `isKeyAtFault`: it does not accept the key. */
export class ProviderRefusal extends Error {
  override name = "ProviderRefusal";
  readonly isKeyAtFault: boolean;
  constructor(message: string, isKeyAtFault = false) {
    super(message);
    this.isKeyAtFault = isKeyAtFault;
  }
}

/** Statuses after which the same call may succeed, or may already have succeeded. */
const undecidedStatuses = [408, 409, 425, 429];

/**
 * Calls a provider and parses its response. Throws `ProviderRefusal` after 4xx, and other errors if what it did is not known.
 * Errors contain neither the key nor parts of a postal address. After a timeout, calls fail immediately for a while, so that a job
 * with many calls does not occupy its worker; with `always`, the call is made nevertheless.
 */
export async function callProvider<const S extends v.GenericSchema>(
  access: ProviderAccess,
  method: "GET" | "POST",
  path: string,
  {
    body,
    schema,
    signal,
    always = false,
  }: { body?: unknown; schema: S; signal?: AbortSignal | undefined; always?: boolean },
): Promise<v.InferOutput<S>> {
  const { title, base, authorization } = access;
  let status = 0;
  let responseBody: unknown;
  const until = silentUntil.get(base) ?? 0;
  if (!always && performance.now() < until) throw new Error(`${title} did not answer a moment ago`);
  if (until > 0) silentUntil.set(base, performance.now() + silencePauseMs);
  const timeout = AbortSignal.timeout(timeoutsMs[method]);
  try {
    const response = await fetch(base.replace(/\/$/, "") + path, {
      method,
      headers: { Authorization: authorization, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    status = response.status;
    silentUntil.delete(base);
    responseBody = JSON.parse(String(await readUpTo(maxResponseBytes, response.body)));
  } catch {
    if (timeout.aborted) silentUntil.set(base, performance.now() + silencePauseMs);
    if (status === 0) throw new Error(`${title} could not be reached`);
    if (status < 400 || status >= 500) throw new Error(`${title} answered ${status}, which cannot be read`);
  }
  if (status >= 200 && status < 300) {
    const parsed = v.safeParse(schema, responseBody);
    if (parsed.success) return parsed.output;
    throw new Error(`${title} answered in an unknown form: ${v.getDotPath(parsed.issues[0]) ?? "no object"}`);
  }
  if (status === 401 || status === 403) throw new ProviderRefusal(`${title} does not accept the key`, true);
  if (status >= 400 && status < 500 && !undecidedStatuses.includes(status))
    throw new ProviderRefusal(`${title}: ${reasonIn(responseBody) ?? `it answered ${status}`}`);
  throw new Error(`${title} answered ${status}`);
}

/** The message of a refusal: EasyPost's `error`, Shippo's `detail` or messages by field. */
function reasonIn(responseBody: unknown): string | null {
  const messages = [...textsIn(responseBody, 0)].filter((text) => /\s/.test(text));
  return messages.length === 0 ? null : [...new Set(messages)].slice(0, 3).join(" ").slice(0, 300);
}

function* textsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") yield value.trim();
  else if (value !== null && typeof value === "object" && depth < 4)
    for (const nested of Object.values(value)) yield* textsIn(nested, depth + 1);
}

/** Rethrows the provider's refusal of a purchase or void as `CarrierRefused`. */
export async function rethrowRefusal<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw error instanceof ProviderRefusal ? new CarrierRefused(toSentence(error.message)) : error;
  });
}

export const toSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const maxRedirects = 3;

/**
 * Loads a label's picture. Providers keep pictures on other servers. As the URL comes from outside, only https and public servers
 * are allowed, and the provider's own base URL, from which test doubles serve them.
 */
export async function loadPicture({ title, base }: ProviderAccess, url: string): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeoutsMs.GET);
  let pictureUrl = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    const isOwn = pictureUrl.origin === new URL(base).origin;
    if (!isOwn && pictureUrl.protocol !== "https:")
      throw new Error(`${title} named a label at an address without https`);
    // Host names are checked when connecting.
    const literal = pictureUrl.hostname.replace(/^\[|\]$/g, "");
    if (!isOwn && isIP(literal) !== 0 && !isPublicAddress(literal))
      throw new Error(`${title} named a label at an address that is not public`);
    const response = await requestExternal(pictureUrl, { signal, isTrusted: isOwn });
    const { statusCode = 0, headers } = response;
    if (statusCode !== 200) {
      response.destroy();
      const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
      if (!isRedirect || redirects === maxRedirects)
        throw new Error(`${title} did not send the label: ${statusCode}`);
      pictureUrl = new URL(headers.location ?? "", pictureUrl);
      continue;
    }
    const picture = await readUpTo(maxResponseBytes, response);
    if (picture === null) throw new Error(`${title} sent a label that is too large`);
    if (picture.subarray(1, 4).toString("latin1") !== "PNG")
      throw new Error(`${title} sent a label that is no PNG`);
    return picture;
  }
}

type KeyTrial = { ok: true } | { ok: false; field: "apiKey"; isUnreachable: boolean; message: string };

/** Tests a key by a call that only reads. */
export async function tryKey(access: ProviderAccess, path: string): Promise<KeyTrial> {
  try {
    await callProvider(access, "GET", path, { schema: v.unknown(), always: true });
    return { ok: true };
  } catch (error) {
    const isRefusal = error instanceof ProviderRefusal;
    const message = isRefusal ? error.message : `${access.title} could not be reached`;
    return { ok: false, field: "apiKey", isUnreachable: !isRefusal, message };
  }
}

/** The shop's name of a carrier whose tracking pages it knows (“UPS DAP” is UPS); otherwise the provider's name. */
export function carrierName(name: string): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  return carriers.find((carrier) => plain(name).startsWith(plain(carrier))) ?? name;
}

/** Cents of a decimal amount of US dollars; null if the text is not an amount. */
export function parseCents(amount: string, currency: string): number | null {
  const cents = Math.round(Number(amount) * 100);
  return currency === "USD" && Number.isSafeInteger(cents) && cents >= 0 ? cents : null;
}
