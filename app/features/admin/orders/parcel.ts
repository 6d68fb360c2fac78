import { carriers, recognizeCarrier } from "../../../../domain/orders/tracking.ts";

/** Form state of a parcel; for `carrier` "other", `otherCarrier` is the name. Without a number there is no tracking. */
export type ParcelDraft = { carrier: string; otherCarrier: string; trackingNumber: string };

export const otherCarrier = "other";

export function emptyParcel(carrier: string = carriers[0]): ParcelDraft {
  return { carrier, otherCarrier: "", trackingNumber: "" };
}

/** A parcel as it was booked, to be corrected. */
export function parcelDraft({
  carrier,
  trackingNumber,
}: {
  carrier: string;
  trackingNumber: string | null;
}): ParcelDraft {
  const isKnown = carriers.some((known) => known === carrier);
  return {
    carrier: isKnown ? carrier : otherCarrier,
    otherCarrier: isKnown ? "" : carrier,
    trackingNumber: trackingNumber ?? "",
  };
}

/** A number that can only be one carrier's chooses it. */
export function withTrackingNumber(draft: ParcelDraft, trackingNumber: string): ParcelDraft {
  return { ...draft, trackingNumber, carrier: recognizeCarrier(trackingNumber) ?? draft.carrier };
}

/** The body of a shipping call. */
export function parcelBody({ carrier, otherCarrier: named, trackingNumber }: ParcelDraft) {
  return {
    carrier: carrier === otherCarrier ? named.trim() : carrier,
    trackingNumber: trackingNumber.trim() || null,
  };
}

/** Validation errors by field; empty: valid. */
export function parcelProblems(draft: ParcelDraft): Record<string, string> {
  return parcelBody(draft).carrier === "" ? { carrier: "Enter the carrier’s name" } : {};
}
