import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import * as v from "valibot";
import type { OrderShipment } from "../../../../domain/orders/order.ts";
import {
  carriers,
  compactTracking,
  recognizeCarrier,
  trackingWarning,
} from "../../../../domain/orders/tracking.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { type ToastMessage, toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { deleteUnsaved, readUnsaved, storeUnsaved } from "../kit/unsaved.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";

/** Form state of a parcel; for `carrier` "other", `otherCarrier` is the name. Without a number there is no tracking. */
export type ParcelDraft = { carrier: string; otherCarrier: string; trackingNumber: string };

export const otherCarrier = "other";

export function emptyParcel(carrier: string = carriers[0]): ParcelDraft {
  return { carrier, otherCarrier: "", trackingNumber: "" };
}

const parcelSchema = v.object({ carrier: v.string(), otherCarrier: v.string(), trackingNumber: v.string() });

/**
 * Keeps the tracking number of an order's next parcel in this browser while it is typed, and passes it to `restore` after a
 * reload. Returns a function that stores it, or deletes it (null) once the parcel has been shipped.
 */
export function useStoredParcel(
  { id, shipments }: { id: string; shipments: readonly unknown[] },
  restore: (parcel: ParcelDraft) => void,
): (parcel: ParcelDraft | null) => void {
  const key = `admin-parcel:${id}:${shipments.length}`;
  // Read after hydration, because the server does not have the number stored in this browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each parcel
  useEffect(() => {
    const { success, output } = v.safeParse(parcelSchema, readUnsaved(key));
    if (success) restore(output);
  }, [key]);
  return (parcel) => {
    if (parcel === null || parcel.trackingNumber.trim() === "") deleteUnsaved(key);
    else storeUnsaved(key, parcel);
  };
}

/**
 * Ids of the parcels that a form ships, one per order, so that a repeated call ships no parcel twice. Forget an id once its
 * parcel has been shipped.
 */
export function useShipmentIds(): { of(orderId: string): string; forget(orderId: string): void } {
  const [ids] = useState(() => new Map<string, string>());
  return {
    of(orderId) {
      const id = ids.get(orderId) ?? randomUuid();
      ids.set(orderId, id);
      return id;
    },
    forget: (orderId) => void ids.delete(orderId),
  };
}

/** The form state for correcting a shipped parcel. */
export function parcelDraft({
  carrier,
  trackingNumber,
}: Pick<OrderShipment, "carrier" | "trackingNumber">): ParcelDraft {
  const isKnown = carriers.some((name) => name === carrier);
  return {
    carrier: isKnown ? carrier : otherCarrier,
    otherCarrier: isKnown ? "" : carrier,
    trackingNumber: trackingNumber ?? "",
  };
}

/** Sets the tracking number, and the carrier if only one uses such numbers. */
export function withTrackingNumber(draft: ParcelDraft, trackingNumber: string): ParcelDraft {
  return { ...draft, trackingNumber, carrier: recognizeCarrier(trackingNumber) ?? draft.carrier };
}

/** The body of a shipping call. */
export function parcelBody({ carrier, otherCarrier: otherName, trackingNumber }: ParcelDraft) {
  return {
    carrier: carrier === otherCarrier ? otherName.trim() : carrier,
    trackingNumber: trackingNumber.trim() || null,
  };
}

/** Validation errors by field; empty if the parcel is valid. */
export function parcelProblems(draft: ParcelDraft): Record<string, string> {
  return parcelBody(draft).carrier === "" ? { carrier: "Enter the carrier’s name" } : {};
}

type Parcel = { key: string; draft: ParcelDraft };

/**
 * Warnings about tracking numbers by parcel key: wrong format for the carrier, entered twice, or used for an earlier
 * parcel. `check` returns true without warnings, or when the same numbers were checked before.
 */
export function useTrackingCheck() {
  const [warnings, setWarnings] = useState<Record<string, string>>({});
  const [lastCheck, setLastCheck] = useState("");
  const [isChecking, setChecking] = useState(false);

  async function check(parcels: readonly Parcel[]): Promise<boolean> {
    const bodies = parcels.map(({ key, draft }) => ({ key, ...parcelBody(draft) }));
    const parcelsJson = JSON.stringify(bodies);
    if (parcelsJson === lastCheck) return true;
    const numbers = bodies.flatMap(({ trackingNumber }) => trackingNumber ?? []);
    setChecking(true);
    const response =
      numbers.length === 0
        ? null
        : await withUnlock(() => callApi("POST /api/admin/tracking/check", { body: { numbers } }));
    setChecking(false);
    // If the check fails, earlier parcels are unknown; that does not prevent shipping.
    const usedNumbers = response?.ok ? response.body.data : [];
    const nextWarnings: Record<string, string> = {};
    const numbersAbove: string[] = [];
    for (const { key, carrier, trackingNumber } of bodies) {
      if (trackingNumber === null) continue;
      const compact = compactTracking(trackingNumber);
      const earlierParcel = usedNumbers.find((shipment) => shipment.trackingNumber === trackingNumber);
      if (numbersAbove.includes(compact)) nextWarnings[key] = "The same number is entered above.";
      else if (earlierParcel) nextWarnings[key] = `Order #${earlierParcel.number} was sent with this number.`;
      else {
        const warning = trackingWarning(carrier, trackingNumber);
        if (warning) nextWarnings[key] = warning;
      }
      numbersAbove.push(compact);
    }
    setWarnings(nextWarnings);
    setLastCheck(parcelsJson);
    return Object.keys(nextWarnings).length === 0;
  }

  return { warnings, isChecking, check };
}

/**
 * Slightly less than the delay of the e-mail (server/order-desk/fulfilment/shipping.ts), so that an undo arrives before the
 * e-mail is sent.
 */
export const undoMs = 9_000;

export type ShippedParcel = { orderId: string; shipmentId: string };

/** Returns a function that undoes the shipment of parcels and returns why that failed, or null. */
export function useUndo() {
  const { revalidate } = useRevalidator();
  return async (parcels: readonly ShippedParcel[]): Promise<string | null> => {
    let problem: string | null = null;
    for (const { orderId: id, shipmentId } of parcels) {
      const params = { id, shipmentId };
      const response = await withUnlock(() =>
        callApi("POST /api/admin/orders/:id/shipments/:shipmentId/undo", { params }),
      );
      if (!response.ok) problem = response.problem.message;
    }
    await revalidate();
    return problem;
  };
}

/** Returns a function that shows a toast about shipped parcels, with a button that undoes their shipment. */
export function useUndoToast() {
  const undoParcels = useUndo();

  async function undo(parcels: readonly ShippedParcel[], onUndone: () => void) {
    const problem = await undoParcels(parcels);
    if (problem !== null) toast({ title: "Not undone", description: problem, tone: "danger" });
    else toast({ title: "Undone", description: "Nothing was sent to the customer." });
    onUndone();
  }

  return (message: ToastMessage, parcels: readonly ShippedParcel[], onUndone: () => void = () => {}) =>
    toast({
      ...message,
      durationMs: undoMs,
      action: { label: "Undo", run: () => void undo(parcels, onUndone) },
    });
}

/** The path of the packing slips of orders. `parcelId`: limits them to one shipped parcel. */
export function slipsPath(orderIds: readonly string[], parcelId?: string): string {
  const query = new URLSearchParams(orderIds.map((id) => ["order", id]));
  if (parcelId !== undefined) query.set("parcel", parcelId);
  return `/admin/packing-slips?${query}`;
}
