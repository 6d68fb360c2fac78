import { useState } from "react";
import { useRevalidator } from "react-router";
import type { DomainRegistration } from "../../../../domain/go-live/go-live.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Makes the shop's domain known to Stripe, for wallets. */
export function RegisterDomain() {
  const action = useAdminAction("POST /api/admin/go-live/register-domain", {
    failure: "The domain was not registered",
  });
  const { revalidate } = useRevalidator();
  const [result, setResult] = useState<DomainRegistration | null>(null);
  return (
    <div className="grid justify-items-start gap-2.5">
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Registering..."
        onClick={async () => {
          setResult(null);
          const answer = await action.run({ timeoutMs: 60_000 });
          if (!answer.ok) return;
          setResult(answer.body.data);
          await revalidate();
        }}
      >
        Register the domain
      </Button>
      <div role="status">
        {result && (
          <Banner
            tone={result.isRegistered ? "success" : "danger"}
            title={result.isRegistered ? "Registered." : "Not registered."}
          >
            {result.detail}
          </Banner>
        )}
      </div>
    </div>
  );
}
