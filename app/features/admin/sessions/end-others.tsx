import { AskFirst } from "../kit/ask-first.tsx";
import { useRights } from "../rights.ts";

/** Locks the panel everywhere but here. */
export function EndOthers() {
  const { role } = useRights();
  const description =
    role === "owner"
      ? "Everybody else, and you in every other browser, has to sign in again. If somebody may know the access code, change it as well, under Keys and connections."
      : "You have to sign in again in every other browser.";
  return (
    <AskFirst
      label="End all other sessions"
      variant="secondary"
      call="DELETE /api/admin/sessions"
      title="End all other sessions?"
      description={description}
      confirmLabel="End all others"
      busyText="Ending..."
      success={{ title: "All other sessions ended" }}
    />
  );
}
