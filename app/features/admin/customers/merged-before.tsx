import type { Customer } from "../../../../domain/customers/customer.ts";
import { AskFirst } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/** Customers merged into this one, each with an undo. */
export function MergedBefore({ customer: { id, merges } }: { customer: Customer }) {
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
            <AskFirst
              call="DELETE /api/admin/customers/:id/merges/:mergeId"
              label="Undo"
              variant="secondary"
              title="Take them apart again?"
              description={`${merge.emails.join(", ")} becomes a customer again, with the orders, notes and tags that came along.`}
              confirmLabel="Take apart"
              busyText="Taking apart..."
              danger={false}
              success={{ title: "Taken apart", description: "Both customers have their own page again." }}
              send={(run) => run({ params: { id: String(id), mergeId: String(merge.id) } })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
