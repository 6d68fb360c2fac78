import ChevronDown from "lucide-react/icons/chevron-down";
import type { ComponentProps } from "react";
import { controlClass, FieldFrame, type Framed } from "./field.tsx";
import { Icon } from "./icon.tsx";

/**
 * A native choice list with its label, help and error; `children` are the options. HTML allows `required` only where the
 * first option is an empty one, and most lists start with a choice.
 */
export function Select({ label, hint, error, optional, required, className, ...select }: Framed<"select">) {
  const frame = { label, hint, error, optional, required, className, name: select.name, id: select.id };
  return (
    <FieldFrame {...frame}>
      {(aria) => <SelectBox {...select} {...aria} aria-required={required} />}
    </FieldFrame>
  );
}

/** The same without a label in sight, for one that filters a list: `aria-label` names it. */
export function SelectBox({ className = "", ...select }: ComponentProps<"select">) {
  return (
    <span className="relative block">
      <select {...select} className={`${controlClass} appearance-none pr-10 ${className}`} />
      <Icon glyph={ChevronDown} className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2" />
    </span>
  );
}
