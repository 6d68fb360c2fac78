import { useState } from "react";
import type { Customer } from "../../../../domain/customers/customer.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

type Merge = Customer["merges"][number];

/** Customers merged into this one, each with an undo. */
export function MergedBefore({ customer: { id, merges } }: { customer: Customer }) {
  const [asking, setAsking] = useState<Merge | null>(null);
  const { busy, problem, run, forget } = useAdminAction("DELETE /api/admin/customers/:id/merges/:mergeId", {
    success: { title: "Taken apart", description: "Both customers have their own page again." },
    failure: null,
  });
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Merged into this customer</h2>
      <ul className="grid gap-3">
        {merges.map((merge) => (
          <li key={merge.id} className="flex flex-wrap items-center justify-between gap-2 text-small">
            <span className="min-w-0 wrap-anywhere">
              {merge.name || merge.emails[0]}
              <span className="block text-ink-muted">
                {merge.emails.join(", ")}, <ShortDay iso={merge.at} />
              </span>
            </span>
            <Button variant="secondary" size="small" onClick={() => setAsking(merge)}>
              Undo
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asking !== null}
        onClose={() => {
          forget();
          setAsking(null);
        }}
        title="Take them apart again?"
        description={
          asking &&
          `${asking.emails.join(", ")} becomes a customer again, with the orders, notes and tags that came along.`
        }
        confirmLabel="Take apart"
        busyText="Taking apart..."
        form={{ busy, problem }}
        danger={false}
        send={() => (asking ? run({ params: { id: String(id), mergeId: String(asking.id) } }) : undefined)}
      />
    </>
  );
}
