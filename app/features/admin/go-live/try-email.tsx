import { Button } from "../../../ui/button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Sends a test e-mail; its line tells, a moment later, what became of it. */
export function TryEmail() {
  const action = useAdminAction({
    success: {
      title: "Test e-mail on its way",
      description: "Look into your inbox, then run the check again.",
    },
    failure: "The test e-mail was not sent",
  });
  return (
    <div>
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Sending..."
        onClick={() => void action.run("POST", "/api/admin/go-live/test-email")}
      >
        Send test e-mail
      </Button>
    </div>
  );
}
