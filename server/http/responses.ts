import type { Context } from "hono";
import type { Logger } from "pino";
import { PicturesBusy } from "../catalog/pictures/decoder.ts";
import { ProviderRefused, ProviderUnavailable } from "../payment-providers/provider.ts";
import { isDatabaseUnavailable, isLockTimeout } from "../platform/database/database.ts";
import type { ApiResponse } from "../platform/http/api-response.ts";
import { type Problem, problem, problemBody, problemStatus } from "../platform/http/problem.ts";
import type { Env } from "./app-types.ts";

export function toResponse({ status, body, stream, headers }: ApiResponse): Response {
  const init = { status, headers: { "Cache-Control": "no-store", ...headers } };
  if (stream) return new Response(stream, init);
  return body === undefined
    ? new Response(null, init)
    : Response.json({ success: true, ...(body as object) }, init);
}

export function problemResponse(c: Context<Env>, refusal: Problem): Response {
  return Response.json(problemBody(refusal, c.get("requestId")), {
    status: problemStatus(refusal.problem),
    headers: { ...refusal.headers, "Cache-Control": "no-store" },
  });
}

/** The response to a thrown error, which is also logged: JSON for API calls, text for browsers. */
export function errorResponse(c: Context<Env>, error: unknown, log: Logger): Response {
  const requestId = c.get("requestId");
  const failure = toProblem(error, requestId, log);
  if (c.req.path.startsWith("/api/")) return problemResponse(c, failure);
  return c.text(`${failure.message}\nReference: ${requestId}`, problemStatus(failure.problem) as 500, {
    ...failure.headers,
    "Cache-Control": "no-store",
  });
}

/** Logs a thrown error and converts it to a problem. */
export function toProblem(error: unknown, requestId: string, log: Logger): Problem {
  if (error instanceof ProviderUnavailable) {
    log.warn({ err: error, requestId }, "the payment provider is unavailable");
    return problem("provider_unavailable", "The payment provider cannot be reached. Please try again.");
  }
  if (isDatabaseUnavailable(error)) {
    log.error({ err: error, requestId }, "the database is unavailable");
    return unavailableProblem(
      isLockTimeout(error)
        ? "The shop is busy with this right now. Please try again in a moment."
        : "The shop is briefly unavailable. Please try again in a moment.",
    );
  }
  if (error instanceof PicturesBusy) {
    log.warn({ err: error, requestId }, "a picture was not made in time");
    return unavailableProblem("This picture is being made. Please try again in a moment.");
  }
  log.error({ err: error, requestId }, "a request failed");
  if (error instanceof ProviderRefused) {
    return problem("payment_failed", "The payment provider refused this.");
  }
  return problem("internal", "Something went wrong on our side. Please try again.");
}

function unavailableProblem(message: string): Problem {
  return problem("unavailable", message, { headers: { "Retry-After": "5" } });
}
