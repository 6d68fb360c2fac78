import { useState } from "react";
import type { WebhookTest } from "../../../../domain/go-live/go-live.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Has an event sent the whole way round, and says here what became of it. */
export function TryWebhook() {
  const action = useAdminAction("POST /api/admin/go-live/test-webhook", {
    failure: "The webhook was not tested",
  });
  const [result, setResult] = useState<WebhookTest | null>(null);
  return (
    <div className="grid justify-items-start gap-2.5">
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Waiting for the event..."
        onClick={async () => {
          setResult(null);
          const answer = await action.run({ timeoutMs: 60_000 });
          if (answer.ok) setResult(answer.body.data);
        }}
      >
        Test the webhook
      </Button>
      <div role="status">
        {result && (
          <Banner
            tone={result.arrived ? "success" : "danger"}
            title={result.arrived ? "The event arrived." : "The event did not arrive."}
          >
            {result.detail}
          </Banner>
        )}
      </div>
    </div>
  );
}
