import ArrowLeft from "lucide-react/icons/arrow-left";
import ArrowRight from "lucide-react/icons/arrow-right";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { PageLink } from "./page-link.tsx";

/** A secondary link: text on a gold line, with an arrow that moves on hover. `back` points it to the left. */
export function LinkArrow({
  to,
  back = false,
  children,
}: {
  to: string;
  back?: boolean;
  children: ReactNode;
}) {
  const hoverClass = back ? "group-hover:-translate-x-[3px]" : "group-hover:translate-x-[3px]";
  const arrow = (
    <Icon
      glyph={back ? ArrowLeft : ArrowRight}
      className={`transition-transform duration-(--dur-2) ease-out ${hoverClass}`}
    />
  );
  return (
    <PageLink to={to} className="group inline-flex min-h-11 items-center gap-2 font-medium no-underline">
      {back && arrow}
      <span className="border-b border-gold-500 pb-0.5">{children}</span>
      {!back && arrow}
    </PageLink>
  );
}
