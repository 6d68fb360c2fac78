import { useRef, useState } from "react";
import { shipHoldLabels } from "../../../../../domain/disputes/dispute.ts";
import type { ShipResult } from "../../../../../domain/orders/admin-order.ts";
import type { AdminOrderRow } from "../../../../../domain/orders/admin-orders.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { focusInvalid } from "../../kit/form-dialog.tsx";
import { randomUuid } from "../../kit/random-uuid.ts";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { useMay } from "../../rights.ts";
import {
  emptyParcel,
  type ParcelDraft,
  parcelBody,
  parcelProblems,
  useTrackingCheck,
  useUndoToast,
} from "../parcel.ts";
import { CarrierFields, EmailBox, ParcelFields } from "../parcel-fields.tsx";

/**
 * Ships several orders at once, each with its carrier and tracking number. Orders that could not be booked stay in the form
 * with the reason.
 */
export function BulkShip({ orders, onClose }: { orders: AdminOrderRow[]; onClose: () => void }) {
  // Shipped orders leave the list behind this dialog, but stay here with their results.
  const [rows] = useState(orders);
  const [results, setResults] = useState<Record<string, ShipResult>>({});
  const form = useAdminForm("POST /api/admin/orders/ship", {
    /** By order id, as `parcels`. */
    reasons: {} as Record<string, string>,
    parcels: {} as Record<string, ParcelDraft>,
    /** The carrier of all orders, if it is the same. */
    common: emptyParcel(),
    isOneCarrier: true,
    email: true,
  });
  const { busy, problem } = form;
  const { reasons, parcels: drafts, common, isOneCarrier, email } = form.values;
  const list = useRef<HTMLUListElement>(null);
  const [shipmentIds] = useState(() =>
    Object.fromEntries(orders.map(({ orderId }) => [orderId, randomUuid()])),
  );
  const tracking = useTrackingCheck();
  const mailNotice = useMailNotice();
  const showUndo = useUndoToast();
  const mayShipHeld = useMay("POST /api/admin/orders/:id/hold");
  const open = rows.filter(({ orderId }) => !results[orderId]?.ok);
  const draftOf = (id: string, at: number): ParcelDraft => {
    const draft = drafts[id] ?? emptyParcel(lastCarrier(rows, drafts, at));
    const { carrier, otherCarrier } = isOneCarrier ? common : draft;
    return { ...draft, carrier, otherCarrier };
  };

  async function ship() {
    form.submit();
    const parcels = open.map((row) => ({ id: row.orderId, draft: draftOf(row.orderId, rows.indexOf(row)) }));
    if (parcels.some(({ draft }) => Object.keys(parcelProblems(draft)).length > 0)) {
      return focusInvalid(list.current);
    }
    if (!(await tracking.check(parcels.map(({ id, draft }) => ({ key: id, draft }))))) return;
    const answer = await form.run({
      body: {
        orders: parcels.map(({ id, draft }) => {
          const reason = reasons[id]?.trim();
          const shipmentId = shipmentIds[id];
          return {
            id,
            ...parcelBody(draft),
            email,
            canUndo: true,
            ...(shipmentId && { shipmentId }),
            ...(reason ? { force: true, reason } : {}),
          };
        }),
      },
      timeoutMs: 60_000,
    });
    if (!answer.ok) return;
    const { data } = answer.body;
    setResults((before) => ({ ...before, ...Object.fromEntries(data.map((result) => [result.id, result])) }));
    const booked = data.flatMap(({ id, ...result }) =>
      result.ok && result.shipmentId ? [{ orderId: id, shipmentId: result.shipmentId }] : [],
    );
    if (booked.length === 0) return;
    showUndo(
      {
        title: booked.length === 1 ? "1 order is shipped" : `${booked.length} orders are shipped`,
        description: email
          ? mailNotice("Their customers get an email in 10 seconds.")
          : "No customer is told.",
      },
      booked,
      onClose,
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && !busy && onClose()}
      title="Mark as shipped"
      description="One parcel for each order. A tracking number is optional."
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
            <Button
              size="small"
              busy={busy || tracking.isChecking}
              busyText="Saving..."
              onClick={() => void ship()}
            >
              {shipWords(open.map(({ orderId }) => results[orderId]))}
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
      {open.length > 0 && (
        <div className="mt-4 grid gap-2">
          {isOneCarrier && (
            <CarrierFields
              {...form.field("common")}
              prefix="common"
              label={open.length > 1 ? "Carrier of all" : "Carrier"}
              disabled={busy}
              error={form.tries > 0 ? parcelProblems(common).carrier : undefined}
            />
          )}
          {rows.length > 1 && (
            <TextButton
              className="justify-self-start"
              disabled={busy}
              onClick={() => form.set({ isOneCarrier: !isOneCarrier })}
            >
              {isOneCarrier ? "Choose a carrier for each" : "One carrier for all"}
            </TextButton>
          )}
          <EmailBox
            label={open.length > 1 ? "Email the customers" : "Email the customer"}
            {...form.field("email")}
            disabled={busy}
          />
        </div>
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
              {result?.ok === false && <Banner title={notShipped(result)}>{result.reason}</Banner>}
              {result?.ok === false && result.shipHold && mayShipHeld && (
                <Field
                  {...form.field(`reasons.${orderId}`)}
                  label="Why you ship it anyway"
                  optional
                  name={`reason-${number}`}
                  hint="Without a reason it stays here. Kept in Activity, for you."
                  value={reasons[orderId] ?? ""}
                  maxLength={500}
                  disabled={busy}
                />
              )}
              {!result?.ok && (
                <ParcelFields
                  prefix={`parcel-${number}`}
                  value={draft}
                  hasCarrier={!isOneCarrier}
                  warning={tracking.warnings[orderId]}
                  disabled={busy}
                  errors={form.tries > 0 ? parcelProblems(draft) : {}}
                  onChange={(next) => {
                    // Detects the carrier from a scanned or pasted number.
                    const isOther = isOneCarrier && next.carrier !== draft.carrier;
                    form.set({
                      parcels: { ...drafts, [orderId]: next },
                      ...(isOther && { common: { ...common, carrier: next.carrier } }),
                    });
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

/** The button's label; "anyway" when the server refused all orders because they are on hold. */
function shipWords(before: readonly (ShipResult | undefined)[]): string {
  const isHeld = before.every((result) => result?.ok === false && result.shipHold);
  if (isHeld) return before.length === 1 ? "Ship anyway" : `Ship ${before.length} anyway`;
  return before.length === 1 ? "Mark 1 order as shipped" : `Mark ${before.length} orders as shipped`;
}

/** "Not shipped: fraud warning.", "Not shipped: waits for payment." */
function notShipped({ shipHold }: Pick<ShipResult, "shipHold">): string {
  if (shipHold === undefined) return "Not shipped.";
  const why = shipHold === "change" ? "waits for payment" : (shipHoldLabels[shipHold] ?? "on hold");
  return `Not shipped: ${why.toLowerCase()}.`;
}

/** Parcels of one day mostly have the same carrier: the last one chosen in an earlier row is the default of later rows. */
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
