import { carriers, recognizeCarrier } from "../../../../domain/orders/tracking.ts";

/** What is typed of a parcel; `carrier` "other" is named in `otherCarrier`. No tracking number: it cannot be followed. */
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

/** What is missing, by field; empty: nothing. */
export function parcelProblems(draft: ParcelDraft): Record<string, string> {
  return parcelBody(draft).carrier === "" ? { carrier: "Enter the carrier’s name" } : {};
}
