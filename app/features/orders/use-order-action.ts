import { useState } from "react";
import { useRevalidator, useSearchParams } from "react-router";
import { type ApiProblem, callApi } from "../api.ts";

export type OrderActionOutcome = "done" | "refused" | "failed";

/**
 * Sends one of a buyer's actions on an order; the token of an e-mailed link in the address goes with it. `refused`: the
 * order has moved on since the page was made. Then, as when it is done, the page is made anew before this answers.
 */
export function useOrderAction(orderId: string, action: "cancel" | "return" | "withdraw") {
  const [search] = useSearchParams();
  const { revalidate } = useRevalidator();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function send(body: object): Promise<OrderActionOutcome> {
    if (isBusy) return "failed";
    setBusy(true);
    setProblem(null);
    const path = `/api/orders/${orderId}/${action}`;
    const answer = await callApi("POST", path, { body: { ...body, token: search.get("token") } });
    const isRefused = !answer.ok && answer.problem.error === "invalid_state";
    if (!answer.ok) setProblem(answer.problem);
    if (answer.ok || isRefused) await revalidate();
    setBusy(false);
    if (answer.ok) return "done";
    return isRefused ? "refused" : "failed";
  }

  return { isBusy, problem, send };
}

export type OrderAction = ReturnType<typeof useOrderAction>;
