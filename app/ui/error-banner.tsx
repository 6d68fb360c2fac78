import type { LucideIcon } from "lucide-react";
import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Tone = "danger" | "success" | "warning" | "info";

const toneStyles: Record<Tone, { glyph: LucideIcon; frame: string; ink: string }> = {
  danger: {
    glyph: CircleAlert,
    frame: "bg-danger-bg border-danger-line border-l-danger",
    ink: "text-danger",
  },
  success: {
    glyph: CircleCheck,
    frame: "bg-success-bg border-success-line border-l-success",
    ink: "text-success",
  },
  warning: {
    glyph: TriangleAlert,
    frame: "bg-warning-bg border-warning-line border-l-warning",
    ink: "text-warning",
  },
  info: { glyph: Info, frame: "bg-info-bg border-info-line border-l-info", ink: "text-info" },
};

/**
 * A message in the flow of the page: the cause in bold, instructions below. Errors are announced (`role="alert"`); for an
 * error summary that takes the focus, pass `ref` and `tabIndex={-1}`.
 */
export function Banner({
  tone = "danger",
  title,
  children,
  glyph = toneStyles[tone].glyph,
  className = "",
  ...rest
}: Omit<ComponentProps<"div">, "title"> & { tone?: Tone; title?: ReactNode; glyph?: LucideIcon }) {
  const { frame, ink } = toneStyles[tone];
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-sm border border-l-3 px-4.5 py-4 text-ui leading-normal ${frame} ${className}`}
      {...rest}
    >
      <Icon glyph={glyph} className={`mt-px ${ink}`} />
      <div>
        {title && <b className={`font-semibold ${ink}`}>{title}</b>} {children}
      </div>
    </div>
  );
}
