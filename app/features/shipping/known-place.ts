import { readStoredJson, storeJson } from "../browser-storage.ts";

const key = "ship-to";

/** A place to ship to, as its tax is told by. */
export type Place = { country: string; state: string };

/** Where this tab's checkout is to ship; null: no address has been typed. */
export function knownPlace(): Place | null {
  const place = readStoredJson("session", key) as Partial<Place> | null;
  return typeof place?.country === "string" && typeof place.state === "string"
    ? { country: place.country, state: place.state }
    : null;
}

export function keepPlace(place: Place | null): void {
  storeJson("session", key, place);
}
