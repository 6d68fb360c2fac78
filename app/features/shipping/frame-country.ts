import { useRouteLoaderData } from "react-router";
import type { loader } from "../../root.tsx";
import { useServedCountry } from "./shopper-country.ts";

/** The shopper's country as far as the shop ships there, on a page that has no shipping policy of its own. */
export function useFrameCountry(): string {
  return useServedCountry(useRouteLoaderData<typeof loader>("root")?.shippingNotes ?? []);
}
