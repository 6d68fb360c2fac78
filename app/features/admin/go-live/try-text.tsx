import { Button } from "../../../ui/button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Sends a test text to the number that alerts go to. */
export function TryText({ phoneNumber }: { phoneNumber: string }) {
  const action = useAdminAction("POST /api/notifications/test-sms", {
    success: { title: "Test SMS Sent" },
    failure: "Failed to send test SMS notification.",
  });
  return (
    <div>
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Sending..."
        onClick={() => void action.run({ body: { phoneNumber }, timeoutMs: 30_000 })}
      >
        Send test text
      </Button>
    </div>
  );
}
