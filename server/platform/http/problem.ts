/** Error codes of the API contract, and their HTTP status. */
const statusByCode = {
  invalid_json: 400,
  invalid_signature: 400,
  unauthorized: 401,
  payment_failed: 402,
  forbidden: 403,
  /** Needs a fresh confirmation by passkey or access code: POST /api/admin/account/confirm. */
  confirmation_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  price_changed: 409,
  out_of_stock: 409,
  invalid_state: 409,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  /** The caller disconnected before the request was complete; no error of the shop. */
  aborted: 499,
  internal: 500,
  provider_unavailable: 502,
  not_configured: 503,
  unavailable: 503,
} as const;

type ProblemCode = keyof typeof statusByCode;
export const problemCodes = Object.keys(statusByCode) as ProblemCode[];

/** An error response: a code for programs, a message for people, and further fields that depend on the code. */
export type Problem = {
  problem: ProblemCode;
  message: string;
  /** With `validation_failed`: path -> message. */
  fields?: Record<string, string>;
  /** With `price_changed`: the current total in cents. */
  total?: number;
  /** With `price_changed`: names of automatic discounts that this buyer cannot have, if there are any. */
  refusedDiscounts?: string[];
  /** With `out_of_stock`: units left by product id. */
  available?: Record<string, number>;
  /** With `invalid_state`: the current state, if another person changed it in the meantime. */
  current?: unknown;
  headers?: Record<string, string>;
};

export function problem(
  code: ProblemCode,
  message: string,
  extra: Omit<Problem, "problem" | "message"> = {},
): Problem {
  return { problem: code, message, ...extra };
}

/** "There is no such order." */
export function notFoundProblem(what: string): Problem {
  return problem("not_found", `There is no such ${what}.`);
}

/** The response to input with these problems: path -> message. */
export function invalidFields(fields: Record<string, string>): Problem {
  return problem("validation_failed", "Please check the highlighted fields.", { fields });
}

/** A refusal with the waiting time in `Retry-After`. */
export function rateLimited(message: string, waitSeconds: number): Problem {
  return problem("rate_limited", message, { headers: { "Retry-After": String(waitSeconds) } });
}

export function problemStatus(code: ProblemCode): number {
  return statusByCode[code];
}

/** The JSON body of an error. `requestId` identifies it in the log. */
export function problemBody({ problem: error, headers: _, ...rest }: Problem, requestId: string) {
  return { success: false, error, ...rest, requestId };
}
