import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { handleCall } from "./calls.ts";
import type { createFaults, Fault } from "./faults.ts";
import type { ApiResponse, createIdempotency } from "./idempotency.ts";
import { decodeForm, type Params } from "./params.ts";
import { StripeProblem } from "./problem.ts";

export type LoggedRequest = {
  method: string;
  path: string;
  params: Params;
  apiVersion: string | null;
  idempotencyKey: string | null;
};

/** Stripe's HTTP layer: API keys, versions, idempotency, and requested faults. */
export function createStripeServer(parts: {
  account: Account;
  faults: ReturnType<typeof createFaults>;
  secretKey: string;
  publishableKey: string;
  requests: LoggedRequest[];
  idempotency: ReturnType<typeof createIdempotency>;
}): Server {
  const { account, faults, secretKey, publishableKey, requests, idempotency } = parts;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", "http://fake");
    const method = request.method ?? "GET";
    const type = readHeader(request, "content-type") ?? "";
    const body = method === "POST" ? await buffer(request) : Buffer.alloc(0);
    const isUpload = type.startsWith("multipart/form-data");
    const params = isUpload
      ? await readUpload(body, type)
      : decodeForm(method === "POST" ? body.toString() : search.slice(1));
    // The bytes of a repeated upload differ in their boundary.
    const form = isUpload ? JSON.stringify(params) : `${body}${search}`;
    const call: LoggedRequest = {
      method,
      path: pathname,
      params,
      apiVersion: readHeader(request, "stripe-version"),
      idempotencyKey: readHeader(request, "idempotency-key"),
    };
    requests.push(call);
    const fault = faults.take(method, pathname);
    if (fault === "hang") return;
    if (fault === "cut") return void request.socket.destroy();
    const authorization = readHeader(request, "authorization");
    if (authorization === `Bearer ${publishableKey}`) {
      return send(response, publishableKeyResponse(call));
    }
    if (authorization !== `Bearer ${secretKey}`) {
      return send(
        response,
        toResponse(new StripeProblem(401, "invalid_request_error", null, "Invalid API Key")),
      );
    }
    const result = await respondAfterDelay(call, form, fault);
    if (fault === "lose") return void request.socket.destroy();
    send(response, result);
  }

  /** A publishable key reads a payment by its client secret, and nothing else. */
  function publishableKeyResponse({ method, path, params }: LoggedRequest): ApiResponse {
    try {
      const id = /^\/v1\/payment_intents\/([^/]+)$/.exec(path)?.[1];
      if (method !== "GET" || !id)
        throw new StripeProblem(403, "invalid_request_error", null, "Secret key needed");
      const intent = account.intent(id);
      if (params.client_secret === intent.client_secret) return { status: 200, body: intent };
      throw new StripeProblem(404, "invalid_request_error", "resource_missing", "No such payment_intent");
    } catch (error) {
      return toResponse(error);
    }
  }

  /**
   * Responds after the requested delay. Meanwhile the call's idempotency key is in use, even if the caller has disconnected.
   */
  async function respondAfterDelay(call: LoggedRequest, form: string, fault: Fault["how"] | null) {
    const delay = faults.takeDelay(call.method, call.path);
    const key = call.method === "POST" ? call.idempotencyKey : null;
    try {
      if (key !== null) idempotency.begin(key);
    } catch (error) {
      return toResponse(error);
    }
    try {
      await faults.waitWhileHeld(call.method, call.path);
      if (delay > 0) await sleep(delay, undefined, { ref: false });
      return respondOnce(call, form, fault);
    } finally {
      if (key !== null) idempotency.end(key);
    }
  }

  function respondOnce(call: LoggedRequest, form: string, fault: Fault["how"] | null): ApiResponse {
    const { method, path, params, idempotencyKey } = call;
    const key = method === "POST" ? idempotencyKey : null;
    const fingerprint = `${path}?${form}`;
    try {
      const storedResponse = key === null ? null : idempotency.storedResponse(key, fingerprint);
      if (storedResponse) return storedResponse;
      if (typeof fault === "number") throw faultError(fault);
      if (fault === "fail-after-work") {
        handleCall(account, method, path, params);
        throw faultError(500);
      }
      const result = { status: 200, body: handleCall(account, method, path, params) };
      if (key !== null) idempotency.store(key, fingerprint, result);
      return result;
    } catch (error) {
      const result = toResponse(error);
      if (key !== null && error instanceof StripeProblem && !error.isRejectedBeforeWork) {
        idempotency.store(key, fingerprint, result);
      }
      return result;
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
}

/** The fields of an uploaded form; of each file, its name, size and type (read from its first bytes). */
async function readUpload(body: Buffer<ArrayBuffer>, contentType: string): Promise<Params> {
  const form = await new Response(body, { headers: { "Content-Type": contentType } }).formData();
  const params: Params = {};
  for (const [name, value] of form) {
    if (typeof value === "string") params[name] = value;
    else {
      const start = Buffer.from(await value.arrayBuffer())
        .subarray(0, 4)
        .toString("latin1");
      const type = start === "%PDF" ? "pdf" : start.startsWith("\xff\xd8") ? "jpg" : "png";
      params[name] = { name: value.name, size: String(value.size), type };
    }
  }
  return params;
}

/** As at Stripe, 5xx errors are stored under the idempotency key; rate limits and conflicts are not. */
function faultError(status: number): StripeProblem {
  const type = status >= 500 ? "api_error" : "invalid_request_error";
  return new StripeProblem(status, type, null, "Requested fault", status < 500);
}

function toResponse(error: unknown): ApiResponse {
  if (!(error instanceof StripeProblem)) throw error;
  return { status: error.status, body: error.body };
}

function send(response: ServerResponse, { status, body }: ApiResponse): void {
  response.writeHead(status, { "Content-Type": "application/json", "Request-Id": "req_fake" });
  response.end(JSON.stringify(body));
}

function readHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}
