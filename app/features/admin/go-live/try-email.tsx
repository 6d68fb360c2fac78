import { Button } from "../../../ui/button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Sends a test email; its line tells, a moment later, what became of it. */
export function TryEmail() {
  const action = useAdminAction("POST /api/admin/go-live/test-email", {
    success: {
      title: "Test email on its way",
      description: "Look into your inbox, then run the check again.",
    },
    failure: "The test email was not sent",
  });
  return (
    <div>
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Sending..."
        onClick={() => void action.run()}
      >
        Send test email
      </Button>
    </div>
  );
}
