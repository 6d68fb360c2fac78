import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";

/** A question that opens; works without JavaScript. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-15 list-none items-center justify-between gap-4 font-medium [&::-webkit-details-marker]:hidden">
        {title}
        <Icon
          glyph={Plus}
          className="transition-transform duration-(--dur-3) ease-out group-open:rotate-45"
        />
      </summary>
      <div className="grid gap-3 pr-8 pb-5 text-ink-muted">{children}</div>
    </details>
  );
}
