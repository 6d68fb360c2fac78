import { useRouteLoaderData } from "react-router";
import { type CountryNote, entryForCountry } from "../../../domain/shipping/served-countries.ts";
import type { loader } from "../../root.tsx";
import { useServedCountry } from "./shopper-country.ts";

/**
 * The shopper's country if the shop ships there, otherwise the shop's own; for pages whose loader does not load the
 * shipping policy.
 */
export function useCountryFromRoot(): string {
  return useServedCountry(useNotesFromRoot());
}

/** Whether shipping to that country is free from a certain amount on. */
export function useShipsFree(): boolean {
  const notes = useNotesFromRoot();
  return (entryForCountry(notes, useServedCountry(notes))?.freeText ?? null) !== null;
}

function useNotesFromRoot(): readonly CountryNote[] {
  return useRouteLoaderData<typeof loader>("root")?.shippingNotes ?? [];
}
