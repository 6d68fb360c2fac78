import type { Context } from "hono";
import type { GivenInput } from "../api-row.ts";
import type { CallInProcess } from "../pages/render.ts";
import { runAsCall } from "../platform/database/running-call.ts";
import type { ApiProblem } from "../platform/http/answer.ts";
import { type Problem, problemStatus } from "../platform/http/problem.ts";
import { explain } from "./answers.ts";
import { workOf } from "./api-calls.ts";
import type { Callers } from "./callers.ts";
import { checkInput, type Outgoing, passGate } from "./gate.ts";
import type { AppInput, Env } from "./parts.ts";

/** Calls an API row in process for the page being rendered, as its caller, through the same gate as over HTTP. */
export function pageCaller({ api, ctx }: AppInput, callers: Callers, c: Context<Env>): CallInProcess {
  return async (key: string, given: GivenInput = {}) => {
    const row = api.find((one) => one.key === key);
    if (!row) throw new Error(`there is no call ${key}`);
    const caller = callers.callerOf(c, stringsOf(given.params));
    const input = { ...given, params: caller.pathParams, query: stringsOf(given.query) };
    const { answer, cookies } = await runAsCall(workOf(row), () =>
      passGate(ctx, row, caller, () => checkInput(row, input)),
    ).catch((error: unknown): Outgoing => {
      return { answer: explain(error, c.get("requestId"), ctx.log), cookies: [] };
    });
    if (!("problem" in answer)) return { answer: { ok: true, body: answer.body }, cookies };
    return { answer: { ok: false, problem: problemOf(answer) }, cookies };
  };
}

function problemOf({ problem: error, headers, fields = {}, available = {}, ...rest }: Problem): ApiProblem {
  const retryAfterSeconds = headers?.["Retry-After"] === undefined ? null : Number(headers["Retry-After"]);
  return { status: problemStatus(error), error, fields, available, retryAfterSeconds, ...rest };
}

/** As in an address; null and undefined are left out. */
function stringsOf(values: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );
}
