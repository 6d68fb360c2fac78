import { useNavigate } from "react-router";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Starts a check of a period and shows it. */
export function useStartCheck(texts: { failure: string | null }) {
  const { run, ...state } = useAdminAction("POST /api/admin/money-checks", texts);
  const navigate = useNavigate();
  return {
    ...state,
    async start(period: { from: string; to: string }) {
      const answer = await run({ body: period });
      if (answer.ok) await navigate(`?check=${answer.body.data.id}`, { preventScrollReset: true });
    },
  };
}
