import { useEffect, useState } from "react";
import { callApi } from "../api.ts";
import { wasUnlocked } from "./unlocked-flag.ts";

/** Whether to show an admin's controls on a public page, which the server renders the same for everybody. */
export function useIsAdmin(): boolean {
  const [isAdmin, setAdmin] = useState(false);
  useEffect(() => {
    if (!wasUnlocked()) return;
    const leaving = new AbortController();
    void callApi("GET /api/admin/session", { signal: leaving.signal }).then((answer) =>
      setAdmin(answer.ok && answer.body.data.authenticated),
    );
    return () => leaving.abort();
  }, []);
  return isAdmin;
}
