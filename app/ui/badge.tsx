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

const sizes = {
  normal: "px-2.5 py-[.16rem] text-caption",
  /** Beside a page's heading. */
  large: "px-3 py-[.3rem] text-ui",
};

export type BadgeSize = keyof typeof sizes;

/** A state as a word in a pill; the color only helps. */
export function Badge({
  tone,
  size = "normal",
  glyph,
  children,
}: {
  tone: keyof typeof tones;
  size?: BadgeSize;
  glyph?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full leading-normal font-medium whitespace-nowrap ${sizes[size]} ${tones[tone]}`}
    >
      {glyph && <Icon glyph={glyph} size="small" />}
      {children}
    </span>
  );
}
