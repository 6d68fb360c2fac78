import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Locks the panel everywhere but here. */
export function EndOthers() {
  const [isAsking, setAsking] = useState(false);
  const end = useAdminAction({ success: { title: "All other sessions ended" }, failure: null });
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setAsking(true)}>
        End all other sessions
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="End all other sessions?"
        description="Every other browser has to enter the access code again. If somebody else may know the code, set a new one as well: npm run admin:code on the shop’s computer."
        confirmLabel="End all others"
        busyText="Ending..."
        busy={end.busy}
        problem={end.problem}
        onConfirm={async () => {
          if ((await end.run("DELETE", "/api/admin/sessions")).ok) setAsking(false);
        }}
      />
    </>
  );
}
