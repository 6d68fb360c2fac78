import { useAdminAction } from "../kit/use-admin-action.ts";
import { TryOnce } from "./try-once.tsx";

/** Has an event sent the whole way round, and says here what became of it. */
export function TryWebhook() {
  const action = useAdminAction("POST /api/admin/go-live/test-webhook", {
    failure: "The webhook was not tested",
  });
  return (
    <TryOnce
      label="Test the webhook"
      busyText="Waiting for the event..."
      busy={action.busy}
      onTry={async () => {
        const answer = await action.run({ timeoutMs: 60_000 });
        if (!answer.ok) return null;
        const { arrived, detail } = answer.body.data;
        return {
          isGood: arrived,
          title: arrived ? "The event arrived." : "The event did not arrive.",
          detail,
        };
      }}
    />
  );
}
