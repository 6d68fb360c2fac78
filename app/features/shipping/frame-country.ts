import { useRouteLoaderData } from "react-router";
import { type CountryNote, noteFor } from "../../../domain/shipping/served-countries.ts";
import type { loader } from "../../root.tsx";
import { useServedCountry } from "./shopper-country.ts";

/** The shopper's country if the shop ships there, else the shop's own; for pages without the shipping policy. */
export function useFrameCountry(): string {
  return useServedCountry(useFrameNotes());
}

/** Whether shipping to that country is free above any amount. */
export function useShipsFree(): boolean {
  const notes = useFrameNotes();
  return (noteFor(notes, useServedCountry(notes))?.free ?? null) !== null;
}

function useFrameNotes(): readonly CountryNote[] {
  return useRouteLoaderData<typeof loader>("root")?.shippingNotes ?? [];
}
