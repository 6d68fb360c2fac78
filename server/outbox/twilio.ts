import type { Twilio } from "twilio";

/** The delivery of a text. `reason` is a message for people. */
export type TextStatus =
  | { delivery: "accepted" }
  | { delivery: "delivered" }
  | { delivery: "undelivered"; reason: string };

export type Text = {
  /** The number with its country code, such as +15550104477. */
  to: string;
  body: string;
};

/** Sends texts. Throws `TextRefused` if retrying is pointless, and other errors if it may help. */
export type TextSender = {
  /** Resolves with Twilio's id once the text is accepted; it may still not arrive. */
  send(text: Text): Promise<string>;
  /** The id of this text if Twilio has it from an attempt without a response; otherwise null. */
  find(text: Text, since: Date): Promise<string | null>;
  fetchStatus(providerId: string): Promise<TextStatus>;
};

/** `account`: the credentials or the sending number are at fault, not the recipient's number. */
export class TextRefused extends Error {
  override name = "TextRefused";
  readonly fault: "account" | "number";
  constructor(message: string, fault: "account" | "number") {
    super(message);
    this.fault = fault;
  }
}

type TwilioSettings = {
  accountSid: string;
  authToken: string;
  /** A number of the account (+1…) or the SID of a messaging service (MG…). */
  from: string;
  /** Another base URL, for tests against a double; null for Twilio's. */
  apiBase: string | null;
};

const timeoutMs = 10_000;
/** The shop's texts go to one number, so the newest ones are enough to find one again. */
const maxSearchedTexts = 20;

/** Sends texts through Twilio. Its SDK is large, so it is loaded for the first text. */
export function createTwilio(settings: TwilioSettings): TextSender {
  let client: Promise<Twilio> | null = null;
  const withClient = async <T>(request: (twilio: Twilio) => Promise<T>): Promise<T> => {
    try {
      client ??= openClient(settings);
      return await request(await client);
    } catch (error) {
      throw twilioError(error);
    }
  };
  const sender = settings.from.startsWith("MG")
    ? { messagingServiceSid: settings.from }
    : { from: settings.from };
  return {
    send: ({ to, body }) =>
      withClient(async (twilio) => (await twilio.messages.create({ to, body, ...sender })).sid),
    find: ({ to, body }, since) =>
      withClient(async (twilio) => {
        const newest = await twilio.messages.list({
          to,
          limit: maxSearchedTexts,
          pageSize: maxSearchedTexts,
        });
        // Trial accounts prepend a notice to the text.
        const match = newest.find(
          (message) => message.body.endsWith(body) && message.dateCreated >= wholeSecond(since),
        );
        return match?.sid ?? null;
      }),
    fetchStatus: (providerId) =>
      withClient(async (twilio) => {
        const { status, errorCode, errorMessage } = await twilio.messages(providerId).fetch();
        if (status === "delivered" || status === "read") return { delivery: "delivered" };
        if (status !== "undelivered" && status !== "failed" && status !== "canceled")
          return { delivery: "accepted" };
        return {
          delivery: "undelivered",
          reason: twilioReason(errorCode ?? 0, errorMessage ?? `status ${status}`),
        };
      }),
  };
}

async function openClient({ accountSid, authToken, apiBase }: TwilioSettings): Promise<Twilio> {
  const { default: twilio } = await import("twilio");
  const httpClient = new twilio.RequestClient({ timeout: timeoutMs });
  httpClient.axios.interceptors.request.use((request) => {
    const { origin, pathname, search } = new URL(request.url ?? "");
    return Object.assign(request, {
      url: (apiBase?.replace(/\/$/, "") ?? origin) + pathname + search,
      // Unlike the client's timeout, it does not restart with each byte.
      signal: AbortSignal.timeout(timeoutMs),
    });
  });
  return twilio(accountSid, authToken, { httpClient });
}

/** Twilio's times have no milliseconds. */
function wholeSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000);
}

/** Codes of https://www.twilio.com/docs/api/errors that an owner can do something about. */
const reasons: Record<number, string> = {
  20003: "Twilio does not accept the account’s credentials (account SID and auth token)",
  20404: "Twilio does not know the account (account SID)",
  21211: "Twilio says that this is not a phone number",
  21408: "The Twilio account may not send texts to this country",
  21606: "The number that texts come from is not a number of the Twilio account that can send texts",
  21608: "The Twilio account is on trial and may only text numbers that were verified there",
  21610: "This phone has answered STOP; answer START from it to get texts again",
  21614: "This number cannot get texts",
  21659: "The number that texts come from is not a number of the Twilio account",
  30003: "The phone could not be reached: it is switched off or has no network",
  30004: "The phone or its carrier blocks texts from this number",
  30005: "The number does not exist or is no longer in use",
  30006: "The number is a landline, or its carrier cannot be reached",
  30007: "The carrier filtered the text out as unwanted",
  30032: "The number that texts come from is a toll-free number that has not been verified at Twilio yet",
  30034:
    "The number that texts come from is not registered for texts to the United States (A2P 10DLC) at Twilio yet",
};
const accountCodes = [20003, 20404, 21408, 21606, 21659];

function twilioReason(code: number, message: string): string {
  const advice = reasons[code];
  // Twilio's messages may contain the number, which must not be logged.
  return advice ?? `Twilio: ${message.replace(/\+?\d{7,}/g, "the number")}${code ? ` (error ${code})` : ""}`;
}

/** Errors with a `status` are responses of Twilio; all others come from the network. */
function twilioError(error: unknown): Error {
  const { status, code, message } = error as { status?: unknown; code?: unknown; message?: unknown };
  const detail = typeof message === "string" ? message : String(error);
  if (/must start with AC|is required/.test(detail)) return new TextRefused(`Twilio: ${detail}`, "account");
  if (typeof status !== "number") return new Error(`Twilio could not be reached: ${detail}`);
  const numericCode = typeof code === "number" ? code : 0;
  const reason = twilioReason(numericCode, detail);
  if (status === 408 || status === 429 || status >= 500) return new Error(reason);
  const isAccountAtFault = status === 401 || status === 403 || accountCodes.includes(numericCode);
  return new TextRefused(reason, isAccountAtFault ? "account" : "number");
}

type TwilioTrial = { ok: true } | { ok: false; isUnreachable: boolean; message: string };

/** Reads the account; no text is sent. */
export async function tryTwilio(settings: TwilioSettings): Promise<TwilioTrial> {
  try {
    const twilio = await openClient(settings);
    const { status } = await twilio.api.v2010.accounts(settings.accountSid).fetch();
    return status === "active"
      ? { ok: true }
      : { ok: false, isUnreachable: false, message: `The Twilio account is ${status}` };
  } catch (error) {
    const { status } = error as { status?: unknown };
    const isUnreachable = typeof status !== "number" || status === 408 || status === 429 || status >= 500;
    return isUnreachable
      ? { ok: false, isUnreachable, message: "Twilio could not be reached" }
      : { ok: false, isUnreachable, message: "Twilio does not accept this account SID and auth token" };
  }
}
