import Link2Off from "lucide-react/icons/link-2-off";
import type { ReactNode } from "react";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** The page of an e-mailed link that has expired or has been used. `children` tell what to do instead. */
export function ExpiredLink({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      glyph={Link2Off}
      title="This link no longer works"
      action={<ButtonLink to="/">Go to the shop</ButtonLink>}
    >
      {children}
    </EmptyState>
  );
}
