import type { LucideIcon } from "lucide-react";

const sizes = {
  small: { size: 16, strokeWidth: 1.6 },
  normal: { size: 20, strokeWidth: 1.6 },
  large: { size: 26, strokeWidth: 1.3 },
};

/**
 * A decorative line icon; the text beside it carries the meaning. Import glyphs one by one
 * (`lucide-react/icons/truck`): importing from the package's index loads all of them on the server.
 */
export function Icon({
  glyph: Glyph,
  size = "normal",
  className = "",
}: {
  glyph: LucideIcon;
  size?: keyof typeof sizes;
  className?: string;
}) {
  return <Glyph {...sizes[size]} className={`shrink-0 ${className}`} aria-hidden="true" />;
}
