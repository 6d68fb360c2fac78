import LogOutGlyph from "lucide-react/icons/log-out";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { Spinner } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { rememberUnlocked } from "../unlocked-flag.ts";

/** Ends this session; the panel then shows its lock. */
export function LogOut() {
  const [isBusy, setIsBusy] = useState(false);
  const { revalidate } = useRevalidator();
  async function logOut() {
    setIsBusy(true);
    const answer = await callApi("POST /api/admin/logout");
    setIsBusy(false);
    if (!answer.ok) return toast({ title: "Error", description: answer.problem.message, tone: "danger" });
    rememberUnlocked(false);
    toast({ title: "Logged Out" });
    await revalidate();
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-busy={isBusy || undefined}
      onClick={logOut}
      className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2 px-2 text-ui"
    >
      {isBusy ? <Spinner /> : <Icon glyph={LogOutGlyph} size="small" />}
      <span className="max-sm:sr-only underline decoration-copper-400 decoration-1 underline-offset-[.3em]">
        Log Out
      </span>
    </button>
  );
}
