import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";

type Outcome = { isGood: boolean; title: string; detail: string };

/** A button that tries something, and says below what came of it. `onTry` answers null where it was refused. */
export function TryOnce({
  label,
  busyText,
  busy,
  onTry,
}: {
  label: string;
  busyText: string;
  busy: boolean;
  onTry: () => Promise<Outcome | null>;
}) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return (
    <div className="grid justify-items-start gap-2.5">
      <Button
        variant="secondary"
        size="small"
        busy={busy}
        busyText={busyText}
        onClick={async () => {
          setOutcome(null);
          setOutcome(await onTry());
        }}
      >
        {label}
      </Button>
      <div role="status">
        {outcome && (
          <Banner tone={outcome.isGood ? "success" : "danger"} title={outcome.title}>
            {outcome.detail}
          </Banner>
        )}
      </div>
    </div>
  );
}
