import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { idempotencyHours } from "../../domain/privacy/retention.ts";
import type { AnyApiRow, ApiCall } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { ApiResponse } from "../platform/http/api-response.ts";
import { type Problem, problem, problemStatus } from "../platform/http/problem.ts";
import { apiKeyAnswers } from "./tables.ts";

type Input = Pick<ApiCall, "params" | "query" | "body" | "rawBody" | "file">;

/** Time after which a running call counts as interrupted. */
const callTimeoutMs = 60_000;
/** Longest wait of a repeat for the first call. */
const waitMs = 10_000;
const pollMs = 100;

type KeyCall = { row: AnyApiRow; input: Input; personId: string; idempotencyKey: string };

/**
 * Runs a writing call of an API key once for each Idempotency-Key: a repeat with the same request gets the same response, and
 * one with another request is refused. A repeat waits while the first call runs, on any server. If a crash interrupted the
 * first call, its effect is unknown: it runs again only if the API row itself prevents a second effect.
 */
export async function onceByKey(
  ctx: ShopContext,
  { row, input, personId, idempotencyKey }: KeyCall,
  run: () => Promise<ApiResponse | Problem>,
): Promise<ApiResponse | Problem> {
  const { db, now } = ctx;
  const idempotencyHash = createHash("sha256").update(idempotencyKey).digest();
  const requestHash = hashCall(row, input);
  const isThisCall = and(
    eq(apiKeyAnswers.personId, personId),
    eq(apiKeyAnswers.idempotencyHash, idempotencyHash),
  );
  // Links with a token are never stored, so those calls run again.
  const canRunAgain = row.headers?.["Idempotency-Key"] !== undefined || row.handsOutLink === true;

  async function claim(): Promise<boolean> {
    const at = now();
    const firstCall = {
      requestHash,
      createdAt: at,
      runsUntil: new Date(at.getTime() + callTimeoutMs),
      answer: null,
    };
    const expiredBefore = new Date(at.getTime() - idempotencyHours * 60 * 60_000).toISOString();
    const claimedRows = await db
      .insert(apiKeyAnswers)
      .values({ personId, idempotencyHash, ...firstCall })
      .onConflictDoUpdate({
        target: [apiKeyAnswers.personId, apiKeyAnswers.idempotencyHash],
        set: firstCall,
        setWhere: sql`${apiKeyAnswers.createdAt} < ${expiredBefore}::timestamptz`,
      })
      .returning({ personId: apiKeyAnswers.personId });
    if (claimedRows.length > 0 || !canRunAgain) return claimedRows.length > 0;
    const { rowCount } = await db
      .update(apiKeyAnswers)
      .set({ runsUntil: firstCall.runsUntil })
      .where(
        and(
          isThisCall,
          eq(apiKeyAnswers.requestHash, requestHash),
          isNull(apiKeyAnswers.answer),
          lte(apiKeyAnswers.runsUntil, at),
        ),
      );
    return rowCount === 1;
  }

  async function runAndStore(): Promise<ApiResponse | Problem> {
    const response = await run().catch(async (error: unknown) => {
      await db.update(apiKeyAnswers).set({ runsUntil: now() }).where(isThisCall);
      throw error;
    });
    if (isTemporaryRefusal(response)) await db.delete(apiKeyAnswers).where(isThisCall);
    else if (row.handsOutLink || ("stream" in response && response.stream)) {
      await db.update(apiKeyAnswers).set({ runsUntil: now() }).where(isThisCall);
    } else
      await db
        .update(apiKeyAnswers)
        .set({ answer: JSON.stringify(response) })
        .where(isThisCall);
    return response;
  }

  for (const deadline = performance.now() + waitMs; performance.now() < deadline; await sleep(pollMs)) {
    if (await claim()) return runAndStore();
    const [storedCall] = await db.select().from(apiKeyAnswers).where(isThisCall);
    // The first call was refused for a temporary reason, which deleted its row.
    if (!storedCall) continue;
    if (!storedCall.requestHash.equals(requestHash)) {
      return problem("invalid_state", "This Idempotency-Key was used for another request.");
    }
    if (storedCall.answer !== null) return JSON.parse(storedCall.answer) as ApiResponse | Problem;
    if (storedCall.runsUntil <= now() && !canRunAgain) {
      return problem(
        "invalid_state",
        "The first call with this Idempotency-Key was interrupted. Check what it did, and use a new Idempotency-Key for what is missing.",
      );
    }
  }
  return problem("invalid_state", "The first call with this Idempotency-Key is still running.", {
    headers: { "Retry-After": "5" },
  });
}

/** Refusals whose reason is not the request itself: rights, limits, an unreachable provider. */
function isTemporaryRefusal(response: ApiResponse | Problem): boolean {
  if (!("problem" in response)) return false;
  const status = problemStatus(response.problem);
  return status >= 500 || [401, 403, 429].includes(status);
}

function hashCall({ key, body: schema }: AnyApiRow, { params, query, body, rawBody, file }: Input): Buffer {
  const hash = createHash("sha256").update(
    JSON.stringify([key, params, query, schema || file ? body : rawBody, file?.name]),
  );
  if (file) hash.update(file.bytes);
  return hash.digest();
}
