import { createContext, useContext } from "react";

/** IANA name. Filled in by the panel's frame (routes/admin.tsx). */
export const ShopZone = createContext("UTC");

/** The shop's time zone: the only one in which the panel shows times and days, whoever looks and from where. */
export function useShopZone(): string {
  return useContext(ShopZone);
}
