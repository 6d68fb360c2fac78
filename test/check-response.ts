import { deepStrictEqual } from "node:assert";
import * as v from "valibot";
import type { ApiResponse, ResponseDescription } from "../server/platform/http/api-response.ts";
import type { Problem } from "../server/platform/http/problem.ts";

/** A link with a live token, under any parameter name (see inert-links.ts). */
const liveLink = /[?&;][\w-]+=[\w.-]*(?<![\w-])[\w-]{43}(?![\w-])/;

/**
 * Checks every response in a test against the schema of its row, and files against their types: missing, wrong or undescribed
 * fields make the call fail.
 */
export function checkResponse(row: ResponseDescription, result: ApiResponse | Problem): void {
  if ("problem" in result) return;
  const { response } = row;
  if (result.stream) checkFile(row, result);
  if (!response) return;
  const text = JSON.stringify(result.body);
  if (row.access === "admin" && !row.handsOutLink && liveLink.test(text)) {
    throw new Error(`${row.key} returns a link with a live token: ${liveLink.exec(text)?.[0]}`);
  }
  const body: unknown = JSON.parse(text);
  const parsed = v.safeParse(response, body);
  if (!parsed.success) {
    const wrong = parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join("; ");
    throw new Error(`${row.key} does not match its schema: ${wrong}`);
  }
  deepStrictEqual(body, parsed.output, `${row.key} returns more than its schema describes`);
}

function checkFile({ key, file }: ResponseDescription, { headers = {} }: ApiResponse): void {
  const [type = ""] = (headers["Content-Type"] ?? "").split(";");
  if (!file?.some((allowed) => allowed === type))
    throw new Error(`${key} returns a file of the type “${type}”`);
}
