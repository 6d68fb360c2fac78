import { useRef, useState } from "react";
import type { ShipResult } from "../../../../../domain/orders/admin-order.ts";
import type { AdminOrderRow } from "../../../../../domain/orders/admin-orders.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { focusInvalid } from "../../kit/focus-invalid.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { emptyParcel, type ParcelDraft, parcelBody, parcelProblems } from "../parcel.ts";
import { ParcelFields } from "../parcel-fields.tsx";

/**
 * Carrier and tracking number of several orders at once. Each stands for itself: those that could not be booked stay
 * with the reason, and with what was typed.
 */
export function BulkShip({ orders, onClose }: { orders: AdminOrderRow[]; onClose: () => void }) {
  // Those shipped leave the list behind this dialog; here they stay, with what became of them.
  const [rows] = useState(orders);
  const [reasons, setReasons] = useState<Record<string, string>>({});
  const [drafts, setDrafts] = useState<Record<string, ParcelDraft>>({});
  const [results, setResults] = useState<Record<string, ShipResult>>({});
  const [areChecked, setChecked] = useState(false);
  const { busy, problem, run } = useAdminAction("POST /api/admin/orders/ship", { failure: null });
  const list = useRef<HTMLUListElement>(null);
  const open = rows.filter(({ orderId }) => !results[orderId]?.ok);
  const draftOf = (id: string, at: number) => drafts[id] ?? emptyParcel(lastCarrier(rows, drafts, at));

  async function ship() {
    setChecked(true);
    const parcels = open.map((row) => ({ id: row.orderId, draft: draftOf(row.orderId, rows.indexOf(row)) }));
    if (parcels.some(({ draft }) => Object.keys(parcelProblems(draft)).length > 0)) {
      return focusInvalid(list.current);
    }
    const answer = await run({
      body: {
        orders: parcels.map(({ id, draft }) => {
          const reason = reasons[id]?.trim();
          return { id, ...parcelBody(draft), ...(reason ? { force: true, reason } : {}) };
        }),
      },
      timeoutMs: 60_000,
    });
    if (!answer.ok) return;
    setResults((before) => ({
      ...before,
      ...Object.fromEntries(answer.body.data.map((result) => [result.id, result])),
    }));
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !busy && onClose()}
      title="Mark as shipped"
      description="Each customer gets an email with the tracking link."
      actions={
        open.length === 0 ? (
          <Button size="small" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button variant="secondary" size="small" disabled={busy} onClick={onClose}>
              Close
            </Button>
            <Button size="small" busy={busy} busyText="Saving..." onClick={() => void ship()}>
              {open.length === 1 ? "Mark 1 order as shipped" : `Mark ${open.length} orders as shipped`}
            </Button>
          </>
        )
      }
    >
      {problem && (
        <Banner className="mt-4" title="The orders could not be marked as shipped.">
          {problem.message}
        </Banner>
      )}
      <ul ref={list} className="mt-4 divide-y divide-line border-y border-line" aria-live="polite">
        {rows.map(({ orderId, number, customer }, at) => {
          const result = results[orderId];
          const draft = draftOf(orderId, at);
          return (
            <li key={orderId} className="grid gap-3 py-4">
              <p className="text-ui wrap-anywhere">
                <b className="font-semibold">#{number}</b> {customer?.name ?? "Anonymous"}
                {result?.ok && <span className="font-medium text-success"> Shipped</span>}
              </p>
              {result?.ok === false && <Banner title="Not shipped.">{result.reason}</Banner>}
              {result?.ok === false && result.shipHold && (
                <Field
                  label="Why you ship it all the same"
                  optional
                  name={`reason-${number}`}
                  hint="Without a reason it stays here. Kept in Activity, for you."
                  value={reasons[orderId] ?? ""}
                  maxLength={500}
                  disabled={busy}
                  onChange={(event) => setReasons((before) => ({ ...before, [orderId]: event.target.value }))}
                />
              )}
              {!result?.ok && (
                <ParcelFields
                  prefix={`parcel-${number}`}
                  draft={draft}
                  disabled={busy}
                  errors={areChecked ? parcelProblems(draft) : {}}
                  onChange={(next) => setDrafts((before) => ({ ...before, [orderId]: next }))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

/** Parcels of one day mostly go one way: the carrier chosen last above counts for those below. */
function lastCarrier(
  rows: AdminOrderRow[],
  drafts: Record<string, ParcelDraft>,
  at: number,
): string | undefined {
  return rows
    .slice(0, at)
    .map(({ orderId }) => drafts[orderId]?.carrier)
    .findLast((carrier) => carrier !== undefined);
}
