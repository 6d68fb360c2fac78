import ChevronDown from "lucide-react/icons/chevron-down";
import type { ComponentProps } from "react";
import { controlClass, FieldFrame, type Framed } from "./field.tsx";
import { Icon } from "./icon.tsx";

/**
 * A native select with its label, help and error; `children` are the options. HTML allows `required` only if the first
 * option is empty, and most lists start with a choice.
 */
export function Select({ label, hint, error, optional, required, className, ...select }: Framed<"select">) {
  const frame = { label, hint, error, optional, required, className, name: select.name, id: select.id };
  return (
    <FieldFrame {...frame}>
      {(aria) => <SelectBox {...select} {...aria} aria-required={required} />}
    </FieldFrame>
  );
}

/** A select without a visible label, for filtering a list; `aria-label` names it. */
export function SelectBox({ className = "", ...select }: ComponentProps<"select">) {
  return (
    <span className="relative block">
      <select {...select} className={`${controlClass} appearance-none pr-10 ${className}`} />
      <Icon glyph={ChevronDown} className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2" />
    </span>
  );
}
