import { useRef } from "react";
import type { GoLiveCheck, keepableChecks } from "../../../../domain/go-live/go-live.ts";
import { focusHeading } from "../../../shell/page-focus.tsx";
import { Button } from "../../../ui/button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Marks a check as decided by the owner and changes no setting. `words`: the button's label. */
export function KeepButton({ check: { id, title }, words }: { check: GoLiveCheck; words: string }) {
  const line = useRef<HTMLDivElement>(null);
  const action = useAdminAction("POST /api/admin/go-live/keep", {
    success: { title: `${title}: decided` },
    failure: "This was not kept",
  });
  return (
    <div ref={line}>
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Keeping..."
        aria-label={`${words}: ${title}`}
        onClick={async () => {
          const item = line.current?.closest("li");
          const answer = await action.run({ body: { check: id as (typeof keepableChecks)[number] } });
          // The button goes with what it settled.
          const headings = [...(item?.querySelectorAll("h3") ?? [])];
          if (answer.ok) focusHeading(headings.find(({ offsetParent }) => offsetParent !== null));
        }}
      >
        {words}
      </Button>
    </div>
  );
}
