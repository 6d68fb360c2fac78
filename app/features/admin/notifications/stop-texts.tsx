import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Takes the number out, after asking: a missing alert is not noticed. */
export function StopTexts({ path, onStopped }: { path: string; onStopped: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAdminAction({
    success: { title: "Texts stopped", description: "No number is stored any more." },
    failure: null,
  });
  return (
    <>
      <Button variant="danger-quiet" size="small" onClick={() => setAsking(true)}>
        Remove number
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Stop texts about new orders?"
        description="The number is removed. You can set one again at any time."
        confirmLabel="Remove number"
        busyText="Removing..."
        busy={action.busy}
        problem={action.problem}
        onConfirm={async () => {
          const answer = await action.run("DELETE", path);
          if (!answer.ok) return;
          setAsking(false);
          onStopped();
        }}
      />
    </>
  );
}
