import { deepStrictEqual } from "node:assert";
import * as v from "valibot";
import type { Answer, AnswerDescription } from "../server/platform/http/answer.ts";
import type { Problem } from "../server/platform/http/problem.ts";

/** A link with a live token, under any parameter name (see inert-links.ts). */
const liveLink = /[?&;][\w-]+=[\w.-]*(?<![\w-])[\w-]{43}(?![\w-])/;

/**
 * Checks every answer in a test against the schema of its row, and files against their types: missing, wrong or undescribed
 * fields make the call fail.
 */
export function checkAnswer(row: AnswerDescription, answer: Answer | Problem): void {
  if ("problem" in answer) return;
  const { response } = row;
  if (answer.stream) checkFile(row, answer);
  if (!response) return;
  const text = JSON.stringify(answer.body);
  if (row.access === "admin" && !row.handsOutLink && liveLink.test(text)) {
    throw new Error(`${row.key} returns a link with a live token: ${liveLink.exec(text)?.[0]}`);
  }
  const body: unknown = JSON.parse(text);
  const result = v.safeParse(response, body);
  if (!result.success) {
    const wrong = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join("; ");
    throw new Error(`${row.key} does not match its schema: ${wrong}`);
  }
  deepStrictEqual(body, result.output, `${row.key} returns more than its schema describes`);
}

function checkFile({ key, file }: AnswerDescription, { headers = {} }: Answer): void {
  const [type = ""] = (headers["Content-Type"] ?? "").split(";");
  if (!file?.some((allowed) => allowed === type))
    throw new Error(`${key} returns a file of the type “${type}”`);
}
