import { createContext, type ReactNode, use } from "react";
import type { Rights } from "../../../domain/people/person.ts";
import { isAllowed } from "../../../domain/people/roles.ts";
import type { ApiKeys } from "../../shop-context.ts";
import { pageRoles } from "./page-roles.ts";

/** The viewer's role and rights, used for display only; the server enforces them. Provided by routes/admin.tsx. */
export const RightsContext = createContext<Rights>({ role: "owner", name: null, calls: null });

export function useRights(): Rights {
  return use(RightsContext);
}

/** Whether to show a control that makes this call. */
export function useMayCall(key: ApiKeys): boolean {
  const { calls } = use(RightsContext);
  return calls?.includes(key) ?? true;
}

/** Whether to show a link to a page; `pattern`: its path pattern in routes.ts. */
export function useMayOpen(): (pattern: string) => boolean {
  const { role } = use(RightsContext);
  return (pattern) => isAllowed(role, pageRoles[pattern]);
}

/** Shows its children to viewers whose role may make the call. */
export function May({ call, children }: { call: ApiKeys; children: ReactNode }) {
  return useMayCall(call) ? children : null;
}
