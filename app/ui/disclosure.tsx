import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

const titleClasses = {
  label: "font-medium",
  question: "py-3.5 type-display text-[1.25rem] leading-[1.3] font-normal tracking-[-.012em]",
};

/** A question that expands to its answer; works without JavaScript. */
export function Disclosure({
  title,
  variant = "label",
  isOpen = false,
  children,
}: {
  title: ReactNode;
  variant?: keyof typeof titleClasses;
  /** Whether the text is initially open. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen} className="disclosure group border-b border-line">
      <summary
        className={`flex min-h-15 cursor-pointer list-none items-center justify-between gap-4 [&::-webkit-details-marker]:hidden ${titleClasses[variant]}`}
      >
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
