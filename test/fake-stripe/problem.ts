/** A response that is an error, in Stripe's form. */
export class StripeProblem extends Error {
  readonly status: number;
  readonly body: { error: { type: string; code?: string; message: string } };
  /** Whether it was refused before any work began, so that the response is not stored under the idempotency key. */
  readonly isRejectedBeforeWork: boolean;

  constructor(
    status: number,
    type: string,
    code: string | null,
    message: string,
    isRejectedBeforeWork = false,
  ) {
    super(message);
    this.status = status;
    this.body = { error: { type, ...(code === null ? {} : { code }), message } };
    this.isRejectedBeforeWork = isRejectedBeforeWork;
  }

  /** Wrong parameters. */
  static invalid(code: string | null, message: string): StripeProblem {
    return new StripeProblem(400, "invalid_request_error", code, message, true);
  }

  /** Valid parameters, but not possible in the object's state. */
  static refused(code: string | null, message: string): StripeProblem {
    return new StripeProblem(400, "invalid_request_error", code, message);
  }

  static missing(kind: string, id: string): StripeProblem {
    return new StripeProblem(
      404,
      "invalid_request_error",
      "resource_missing",
      `No such ${kind}: '${id}'`,
      true,
    );
  }
}
