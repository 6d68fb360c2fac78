import { readStoredJson, storeJson } from "../browser-storage.ts";

const key = "ship-to";

/** Country and state where tax is charged. */
type Place = { country: string; state: string };

/** The place of the address that was entered at checkout in this tab; null if none has been entered. */
export function storedPlace(): Place | null {
  const place = readStoredJson("session", key) as Partial<Place> | null;
  return typeof place?.country === "string" && typeof place.state === "string"
    ? { country: place.country, state: place.state }
    : null;
}

export function storePlace(place: Place | null): void {
  storeJson("session", key, place);
}
