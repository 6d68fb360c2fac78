import { AskFirst } from "../kit/ask-first.tsx";

/** Locks the panel everywhere but here. */
export function EndOthers() {
  return (
    <AskFirst
      label="End all other sessions"
      variant="secondary"
      call="DELETE /api/admin/sessions"
      title="End all other sessions?"
      description="Every other browser has to enter the access code again. If somebody else may know the code, set a new one as well: npm run admin:code on the shop’s computer."
      confirmLabel="End all others"
      busyText="Ending..."
      success={{ title: "All other sessions ended" }}
    />
  );
}
