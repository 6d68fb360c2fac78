import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { shipHoldLabels } from "../../../../../domain/disputes/dispute.ts";
import type { ShipResult } from "../../../../../domain/orders/admin-order.ts";
import type { AdminOrderRow } from "../../../../../domain/orders/admin-orders.ts";
import { randomUuid } from "../../../../ui/browser/random-uuid.ts";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { PanelButton } from "../../kit/action-button.tsx";
import { FormFields, focusInvalid } from "../../kit/form-dialog.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { useMayCall } from "../../rights.ts";
import {
  emptyParcel,
  type ParcelDraft,
  parcelBody,
  parcelProblems,
  useTrackingCheck,
  useUndoToast,
  withTrackingNumber,
} from "../parcel.ts";
import { CarrierFields, EmailBox, TrackingField } from "../parcel-fields.tsx";

/**
 * Ships several orders at once, each with its carrier and tracking number. A pasted column of numbers fills the rows from the
 * focused one on, or from the first row without a number. Enter, which scanners send after a number, moves to the next row.
 * Orders that could not be shipped stay in the form with the reason.
 */
export function BulkShip({ orders, onClose }: { orders: AdminOrderRow[]; onClose: () => void }) {
  // Shipped orders leave the list behind this dialog, but stay here with their results.
  const [rows] = useState(orders);
  const [results, setResults] = useState<Record<string, ShipResult>>({});
  const form = useAdminForm("POST /api/admin/orders/ship", {
    /** Reasons for shipping a held order, by order id. */
    reasons: {} as Record<string, string>,
    parcels: {} as Record<string, ParcelDraft>,
    /** Its carrier applies to all orders if `isOneCarrier`; its other fields are unused. */
    sharedParcel: emptyParcel(),
    isOneCarrier: true,
    email: true,
  });
  const { busy, problem } = form;
  const { reasons, parcels: drafts, sharedParcel, isOneCarrier, email } = form.values;
  const list = useRef<HTMLUListElement>(null);
  const [shipmentIds] = useState(() =>
    Object.fromEntries(orders.map(({ orderId }) => [orderId, randomUuid()])),
  );
  const tracking = useTrackingCheck();
  const mailNotice = useMailNotice();
  const showUndo = useUndoToast();
  const mayShipHeld = useMayCall("POST /api/admin/orders/:id/hold");
  const unshippedRows = rows.filter(({ orderId }) => !results[orderId]?.ok);
  const parcelDraft = (id: string, index: number): ParcelDraft => {
    const draft = drafts[id] ?? emptyParcel(lastCarrier(rows, drafts, index));
    const { carrier, otherCarrier } = isOneCarrier ? sharedParcel : draft;
    return { ...draft, carrier, otherCarrier };
  };

  const [pasteResult, setPasteResult] = useState("");
  const numberedCount = unshippedRows.filter(({ orderId }) => drafts[orderId]?.trackingNumber.trim()).length;

  function setDraft(orderId: string, next: ParcelDraft, before: ParcelDraft) {
    // A scanned or pasted number may have changed the carrier, which then applies to all.
    const hasNewCarrier = isOneCarrier && next.carrier !== before.carrier;
    form.set({
      parcels: { ...drafts, [orderId]: next },
      ...(hasNewCarrier && { sharedParcel: { ...sharedParcel, carrier: next.carrier } }),
    });
  }

  /** Fills one row after the other with the clipboard's lines; a single line in a field is left to the browser. */
  function pasteNumbers(event: ClipboardEvent) {
    const numbers = (event.clipboardData?.getData("text") ?? "")
      .split(/[\r\n\t]+/)
      .map((text) => text.trim().slice(0, 60))
      .filter(Boolean);
    const isInField = event.target instanceof HTMLInputElement;
    if (busy || numbers.length === 0 || (numbers.length === 1 && isInField)) return;
    event.preventDefault();
    const focusedIndex = unshippedRows.findIndex(
      ({ number }) => isInField && (event.target as HTMLInputElement).name === `parcel-${number}-tracking`,
    );
    const firstEmpty = unshippedRows.findIndex(({ orderId }) => !drafts[orderId]?.trackingNumber.trim());
    const start = focusedIndex >= 0 ? focusedIndex : Math.max(0, firstEmpty);
    const filledRows = unshippedRows.slice(start).flatMap(({ orderId }, index) => {
      const number = numbers[index];
      return number === undefined
        ? []
        : [[orderId, withTrackingNumber(parcelDraft(orderId, start + index), number)] as const];
    });
    const parcels = { ...drafts, ...Object.fromEntries(filledRows) };
    const carrier = filledRows[0]?.[1].carrier;
    form.set({ parcels, ...(isOneCarrier && carrier && { sharedParcel: { ...sharedParcel, carrier } }) });
    const ignoredCount = numbers.length - filledRows.length;
    setPasteResult(
      `${filledRows.length} ${filledRows.length === 1 ? "number" : "numbers"} pasted${ignoredCount > 0 ? `; ${ignoredCount} too many, left out` : ""}.`,
    );
  }

  usePaste(pasteNumbers);
  // Focuses the first number for scanners; on phones, the keyboard would cover the list.
  useEffect(() => {
    if (!window.matchMedia("(pointer: fine)").matches) return;
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[name$=-tracking]")?.focus());
  }, []);

  /** Moves to the next row on Enter, which scanners send after each number. */
  function focusNextRow(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const fields = [...(list.current?.querySelectorAll<HTMLInputElement>("[name$=-tracking]") ?? [])];
    fields[fields.indexOf(event.currentTarget) + 1]?.focus();
  }

  async function ship() {
    form.submit();
    const parcels = unshippedRows.map((row) => ({
      id: row.orderId,
      draft: parcelDraft(row.orderId, rows.indexOf(row)),
    }));
    if (parcels.some(({ draft }) => Object.keys(parcelProblems(draft)).length > 0)) {
      return focusInvalid(list.current);
    }
    if (!(await tracking.check(parcels.map(({ id, draft }) => ({ key: id, draft }))))) return;
    const response = await form.run({
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
    if (!response.ok) return;
    const { data } = response.body;
    setResults((before) => ({ ...before, ...Object.fromEntries(data.map((result) => [result.id, result])) }));
    const shippedParcels = data.flatMap(({ id, ...result }) =>
      result.ok && result.shipmentId ? [{ orderId: id, shipmentId: result.shipmentId }] : [],
    );
    if (shippedParcels.length === 0) return;
    showUndo(
      {
        title:
          shippedParcels.length === 1 ? "1 order is shipped" : `${shippedParcels.length} orders are shipped`,
        description: email
          ? mailNotice("Their customers get an email in 10 seconds.")
          : "No customer is notified.",
      },
      shippedParcels,
      onClose,
    );
  }

  return (
    <Dialog
      onClose={() => busy || onClose()}
      title="Mark as shipped"
      description="One parcel for each order. Scan the numbers one after the other, or paste a column of them; they are optional."
      actions={
        unshippedRows.length === 0 ? (
          <PanelButton variant="primary" onClick={onClose}>
            Done
          </PanelButton>
        ) : (
          <>
            <PanelButton disabled={busy} onClick={onClose}>
              Close
            </PanelButton>
            <PanelButton
              variant="primary"
              busy={busy || tracking.isChecking}
              busyText="Saving..."
              onClick={() => void ship()}
            >
              {shipButtonLabel(unshippedRows.map(({ orderId }) => results[orderId]))}
            </PanelButton>
          </>
        )
      }
    >
      {problem && (
        <Banner className="mt-4" title="The orders could not be marked as shipped.">
          {problem.message}
        </Banner>
      )}
      <FormFields name="Parcels" busy={busy}>
        {unshippedRows.length > 0 && (
          <div className="mt-4 stack gap-x-4 gap-y-1 sm:grid-cols-2 sm:items-end">
            {isOneCarrier && (
              <CarrierFields
                {...form.field("sharedParcel")}
                prefix="common"
                label={unshippedRows.length > 1 ? "Carrier for all" : "Carrier"}
                error={form.submitCount > 0 ? parcelProblems(sharedParcel).carrier : undefined}
              />
            )}
            {rows.length > 1 && (
              <TextButton
                className="justify-self-start"
                onClick={() => form.set({ isOneCarrier: !isOneCarrier })}
              >
                {isOneCarrier ? "Choose a carrier for each" : "One carrier for all"}
              </TextButton>
            )}
            <div className="sm:col-span-2">
              <EmailBox
                label={unshippedRows.length > 1 ? "Email the customers" : "Email the customer"}
                {...form.field("email")}
              />
            </div>
          </div>
        )}
        {unshippedRows.length > 0 && (
          <p role="status" className="mt-2 text-small text-ink-muted tabular-nums">
            {numberedCount} of {unshippedRows.length} with a number{pasteResult && `. ${pasteResult}`}
          </p>
        )}
        <ul ref={list} className="mt-1 divide-y divide-line border-y border-line" aria-live="polite">
          {rows.map(({ orderId, number, customer }, index) => {
            const result = results[orderId];
            const draft = parcelDraft(orderId, index);
            const name = customer?.name ?? "Anonymous";
            if (result?.ok) {
              return (
                <li key={orderId} className="flex justify-between gap-3 py-2.5 text-ui">
                  <span className="wrap-anywhere">
                    <b className="font-semibold">#{number}</b> {name}
                  </span>
                  <span className="font-medium text-success"> Shipped</span>
                </li>
              );
            }
            return (
              <li key={orderId} className="grid gap-2 py-2.5">
                <div
                  className={`stack items-start gap-x-3 gap-y-2 ${isOneCarrier ? "" : "sm:grid-cols-[minmax(0,1fr)_9rem]"}`}
                >
                  <TrackingField
                    prefix={`parcel-${number}`}
                    label={
                      <>
                        <b className="font-semibold">#{number}</b> {name}
                        <span className="sr-only">: Tracking number</span>
                      </>
                    }
                    isOptional={false}
                    value={draft}
                    warning={tracking.warnings[orderId]}
                    onChange={(next) => setDraft(orderId, next, draft)}
                    onKeyDown={focusNextRow}
                    className={`[&_input]:min-h-11! [&_input]:py-1.5! ${isOneCarrier ? "sm:*:grid-cols-[10rem_minmax(0,1fr)] sm:*:items-center sm:*:gap-x-3 sm:[&_input~*]:col-start-2" : ""}`}
                  />
                  {!isOneCarrier && (
                    <CarrierFields
                      prefix={`parcel-${number}`}
                      value={draft}
                      onChange={(next) => setDraft(orderId, next, draft)}
                      error={form.submitCount > 0 ? parcelProblems(draft).carrier : undefined}
                    />
                  )}
                </div>
                {result && <Banner title={notShippedTitle(result)}>{result.reason}</Banner>}
                {result?.shipHold && mayShipHeld && (
                  <Field
                    {...form.field(`reasons.${orderId}`)}
                    label="Why you’re shipping it anyway"
                    name={`reason-${number}`}
                    hint="It ships only with a reason. Shown in Activity; the customer does not see it."
                    value={reasons[orderId] ?? ""}
                    maxLength={500}
                  />
                )}
              </li>
            );
          })}
        </ul>
      </FormFields>
    </Dialog>
  );
}

/** Calls `onPaste` for a paste anywhere on the page, even outside fields. */
function usePaste(onPaste: (event: ClipboardEvent) => void): void {
  const listen = useEffectEvent(onPaste);
  useEffect(() => {
    document.addEventListener("paste", listen);
    return () => document.removeEventListener("paste", listen);
  }, []);
}

/** The button's label; "anyway" when the server refused all orders because they are on hold. */
function shipButtonLabel(lastResults: readonly (ShipResult | undefined)[]): string {
  const isHeld = lastResults.every((result) => result?.ok === false && result.shipHold);
  if (isHeld) return lastResults.length === 1 ? "Ship anyway" : `Ship ${lastResults.length} anyway`;
  return lastResults.length === 1
    ? "Mark 1 order as shipped"
    : `Mark ${lastResults.length} orders as shipped`;
}

/** Such as "Not shipped: fraud warning." or "Not shipped: waiting for payment." */
function notShippedTitle({ shipHold }: Pick<ShipResult, "shipHold">): string {
  if (shipHold === undefined) return "Not shipped.";
  const holdText = shipHold === "change" ? "waiting for payment" : (shipHoldLabels[shipHold] ?? "on hold");
  return `Not shipped: ${holdText.toLowerCase()}.`;
}

/** Parcels of one day mostly have the same carrier: the last one chosen in an earlier row is the default of later rows. */
function lastCarrier(
  rows: AdminOrderRow[],
  drafts: Record<string, ParcelDraft>,
  index: number,
): string | undefined {
  return rows
    .slice(0, index)
    .map(({ orderId }) => drafts[orderId]?.carrier)
    .findLast((carrier) => carrier !== undefined);
}
