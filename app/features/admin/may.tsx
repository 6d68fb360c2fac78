import type { ReactNode } from "react";
import type { ApiKeys } from "../../shop-context.ts";
import { useMay } from "./rights.ts";

/** Shows its children to those whose role may make the call. */
export function May({ call, children }: { call: ApiKeys; children: ReactNode }) {
  return useMay(call) ? children : null;
}
