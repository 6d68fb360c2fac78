import { useState } from "react";
import type { Customer, CustomerRow } from "../../../../domain/customers/customer.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { useAnswer } from "../../use-answer.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { withUnlock } from "../shell/unlock-again.tsx";

const pauseMs = 250;
const shownMax = "6";

/** Finds another customer, names both, and makes the other one part of this one. */
export function MergeDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [q, setQ] = useState(customer.name);
  const { body } = useAnswer(
    q.trim(),
    (q) => withUnlock(() => callApi("GET /api/admin/customers", { query: { q, limit: shownMax } })),
    pauseMs,
  );
  const others = body?.data.filter(({ id }) => id !== customer.id);
  const [other, setOther] = useState<CustomerRow | null>(null);
  const { busy, problem, run } = useAdminAction("POST /api/admin/customers/:id/merge", {
    success: { title: "Customers merged", description: "It can be undone on this page." },
    failure: null,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Merge with another customer"
      description={
        other
          ? `${other.name || other.email} (${other.email}) becomes part of ${customer.name || customer.email} (${customer.email}): ${ordersText(other.orders)} and ${ordersText(customer.orders)} are ${ordersText(other.orders + customer.orders)}.`
          : "For one person who ordered with two addresses. Their orders, notes and tags come together here."
      }
      confirmLabel="Merge"
      busyText="Merging..."
      form={{ busy, problem }}
      danger={false}
      disabled={other === null}
      send={() => {
        if (other === null) return undefined;
        return run({ params: { id: String(customer.id) }, body: { otherId: other.id } });
      }}
    >
      <Field
        className="mt-4"
        label="Find the other customer"
        name="merge-with"
        type="search"
        autoComplete="off"
        value={q}
        onChange={(event) => {
          setOther(null);
          setQ(event.target.value);
        }}
      />
      <fieldset className="mt-3">
        <legend className="sr-only">Customers found</legend>
        {others?.map((row) => (
          <label
            key={row.id}
            className="flex min-h-11 cursor-pointer items-center gap-3 border-t border-line py-2 first-of-type:border-t-0"
          >
            <input
              type="radio"
              name="other"
              checked={other?.id === row.id}
              onChange={() => setOther(row)}
              className="size-5 shrink-0 accent-forest-800"
            />
            <span className="min-w-0 text-ui wrap-anywhere">
              {row.name || row.email}
              <span className="block text-small text-ink-muted">
                {row.email} · {ordersText(row.orders)}, {formatCents(row.valueCents)}
              </span>
            </span>
          </label>
        ))}
        {others?.length === 0 && <p className="text-small text-ink-muted">Nobody else is found.</p>}
      </fieldset>
    </ConfirmDialog>
  );
}

function ordersText(count: number): string {
  return count === 1 ? "1 order" : `${count} orders`;
}
