import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/**
 * An empty page or section: an icon, one sentence, one action. `boxed` is for a section: it adds a frame and makes the text
 * smaller. `heading` is the level of the title, by default that of a page or a section.
 */
export function EmptyState({
  glyph,
  title,
  boxed = false,
  heading: Heading = boxed ? "h2" : "h1",
  children,
  action,
  role,
}: {
  glyph: LucideIcon;
  title?: ReactNode;
  heading?: "h1" | "h2" | "h3";
  children?: ReactNode;
  action?: ReactNode;
  boxed?: boolean;
  /** `alert` for an error that has just occurred. */
  role?: "alert";
}) {
  return (
    <div
      role={role}
      className={`grid justify-items-center gap-4 px-5 text-center ${Heading === "h1" ? "py-(--empty-page)" : "py-(--empty-space)"} ${
        boxed ? "rounded-md border border-line bg-surface" : ""
      }`}
    >
      <span className="grid size-18 place-items-center rounded-full bg-cream text-copper-700">
        <Icon glyph={glyph} size="large" />
      </span>
      {title && <Heading className={boxed || Heading === "h3" ? "text-h3" : "text-h2"}>{title}</Heading>}
      {children && <div className="max-w-120 text-balance text-ink-muted">{children}</div>}
      {action}
    </div>
  );
}
