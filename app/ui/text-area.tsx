import type { ComponentProps, ReactNode } from "react";
import { controlClass, FieldFrame } from "./field.tsx";

/** A text of several lines with its label, help and error. */
export function TextArea({
  label,
  hint,
  error,
  optional,
  className,
  ...area
}: Omit<ComponentProps<"textarea">, "className"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  className?: string;
}) {
  const frame = { label, hint, error, optional, className, name: area.name, id: area.id };
  return (
    <FieldFrame {...frame} required={area.required}>
      {(aria) => <textarea {...area} {...aria} className={`${controlClass} min-h-36 resize-y`} />}
    </FieldFrame>
  );
}
