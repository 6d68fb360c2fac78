import { callApi } from "../api.ts";
import { useAnswer } from "../use-answer.ts";
import { wasUnlocked } from "./unlocked-flag.ts";

/** Whether to show an admin's controls on a public page, which the server renders the same for everybody. */
export function useIsAdmin(): boolean {
  const { body } = useAnswer(wasUnlocked() || null, (_, signal) =>
    callApi("GET /api/admin/session", { signal }),
  );
  return body?.data.authenticated ?? false;
}
