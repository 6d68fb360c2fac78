import { useRouteLoaderData } from "react-router";
import { type CountryNote, noteFor } from "../../../domain/shipping/served-countries.ts";
import type { loader } from "../../root.tsx";
import { useServedCountry } from "./shopper-country.ts";

/** The shopper's country as far as the shop ships there, on a page that has no shipping policy of its own. */
export function useFrameCountry(): string {
  return useServedCountry(useFrameNotes());
}

/** Whether anything ships free to that country, from whatever sum on. */
export function useShipsFree(): boolean {
  const notes = useFrameNotes();
  return (noteFor(notes, useServedCountry(notes))?.free ?? null) !== null;
}

function useFrameNotes(): readonly CountryNote[] {
  return useRouteLoaderData<typeof loader>("root")?.shippingNotes ?? [];
}
