import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

const tones = {
  green: "bg-success-bg text-success",
  yellow: "bg-warning-bg text-warning",
  blue: "bg-info-bg text-info",
  red: "bg-danger-bg text-danger",
  dark: "bg-forest-800 text-paper",
  cream: "bg-cream text-copper-800",
};

/** A state, named in a pill. The color only repeats what the text says. */
export function Badge({
  tone,
  glyph,
  children,
}: {
  tone: keyof typeof tones;
  glyph?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full leading-normal font-medium whitespace-nowrap px-2.5 py-[.16rem] text-caption ${tones[tone]}`}
    >
      {glyph && <Icon glyph={glyph} size="small" />}
      {children}
    </span>
  );
}
