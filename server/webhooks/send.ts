import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { publicLookup } from "../platform/http/public-lookup.ts";
import { addressProblem, isLocal } from "./address.ts";

/** Timeout for connecting, sending and the whole answer. */
const timeoutMs = 10_000;
/** The part of a receiver's answer that is stored. */
const answerBytesMax = 1_000;

export type Sent = { status: number | null; error: string | null; answer: string };
type Message = { url: string; id: string; body: string; secrets: readonly string[]; allowsLocal: boolean };

/** Makes one delivery. Errors of the receiver are results, not thrown. */
export async function send({ url, id, body, secrets, allowsLocal }: Message): Promise<Sent> {
  const problem = addressProblem(url, allowsLocal);
  if (problem !== null) return { status: null, error: problem, answer: "" };
  const at = new Date();
  const { Webhook } = await import("standardwebhooks");
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Palmira",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
  try {
    const { status, answer } = await post(new URL(url), {
      headers,
      body,
      isLocalReceiver: allowsLocal && isLocal(url),
    });
    const error =
      status >= 200 && status < 300
        ? null
        : status >= 300 && status < 400
          ? `It answered ${status}: redirects are not followed`
          : `It answered ${status}`;
    return { status, error, answer };
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error), answer: "" };
  }
}

function post(
  url: URL,
  {
    headers,
    body,
    isLocalReceiver,
  }: { headers: Record<string, string>; body: string; isLocalReceiver: boolean },
) {
  return new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const open = url.protocol === "https:" ? httpsRequest : httpRequest;
    const signal = AbortSignal.timeout(timeoutMs);
    const fail = (error: Error) => {
      if (signal.aborted) reject(new Error("It did not answer within 10 seconds"));
      else reject(new Error(`It could not be reached: ${error.message || "the connection failed"}`));
    };
    const options = {
      method: "POST",
      headers,
      signal,
      agent: false,
      ...(!isLocalReceiver && { lookup: publicLookup }),
    };
    const call = open(url, options, (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      let size = 0;
      const end = () => {
        const answer = Buffer.concat(parts).subarray(0, answerBytesMax).toString("utf8");
        resolve({ status: response.statusCode ?? 0, answer: answer.replaceAll("\0", "").toWellFormed() });
      };
      response.on("data", (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size < answerBytesMax) return;
        end();
        response.destroy();
      });
      response.on("end", end);
      response.on("error", fail);
    });
    call.on("error", fail);
    call.end(body);
  });
}
