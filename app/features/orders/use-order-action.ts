import { useState } from "react";
import { useRevalidator, useSearchParams } from "react-router";
import type { ApiProblem, ApiResult } from "../api.ts";

export type OrderActionOutcome = "done" | "refused" | "failed";
/** An API call with the token of the e-mailed link, if the order was opened through one. */
export type OrderCall = (token: string | null) => Promise<ApiResult<unknown>>;

/**
 * Sends a buyer's action on an order. `refused`: the order's state has changed since the page was rendered. The page's data
 * are loaded again before `done` or `refused` is returned.
 */
export function useOrderAction() {
  const [search] = useSearchParams();
  const { revalidate } = useRevalidator();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function send(call: OrderCall): Promise<OrderActionOutcome> {
    if (isBusy) return "failed";
    setBusy(true);
    setProblem(null);
    const response = await call(search.get("token"));
    const isRefused = !response.ok && response.problem.error === "invalid_state";
    if (!response.ok) setProblem(response.problem);
    if (response.ok || isRefused) await revalidate();
    setBusy(false);
    if (response.ok) return "done";
    return isRefused ? "refused" : "failed";
  }

  return { isBusy, problem, send };
}

export type OrderAction = ReturnType<typeof useOrderAction>;
