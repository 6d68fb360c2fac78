import { useRouteLoaderData } from "react-router";
import { formatTotal } from "../../../domain/checkout/total-text.ts";
import type { loader } from "../../root.tsx";

/** Formats totals as the owner chose: "$35.90", or "$35.90 USD". */
export function useTotalText(): (cents: number) => string {
  const display = useRouteLoaderData<typeof loader>("root")?.currencyDisplay ?? "symbol";
  return (cents) => formatTotal(cents, display);
}
