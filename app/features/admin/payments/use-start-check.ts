import { useNavigate } from "react-router";
import type { MoneyCheckDetail } from "../../../../domain/payments/money-check.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Starts a check of a period and shows it. */
export function useStartCheck(texts: { failure: string | null }) {
  const { run, ...state } = useAdminAction<{ data: MoneyCheckDetail }>(texts);
  const navigate = useNavigate();
  return {
    ...state,
    async start(period: { from: string; to: string }) {
      const answer = await run("POST", "/api/admin/money-checks", { body: period });
      if (answer.ok) await navigate(`?check=${answer.body.data.id}`, { preventScrollReset: true });
    },
  };
}
