import type { ReactNode } from "react";
import { Field } from "../../../ui/field.tsx";

/** An optional note, stored with the record. */
export function NoteField({
  name = "note",
  value,
  error,
  hint,
  maxLength = 200,
  className = "",
  onChange,
}: {
  name?: string;
  value: string;
  error: string | undefined;
  hint?: ReactNode;
  maxLength?: number;
  className?: string;
  onChange: (note: string) => void;
}) {
  return (
    <Field
      label="Note"
      name={name}
      optional
      autoComplete="off"
      maxLength={maxLength}
      value={value}
      hint={hint}
      error={error}
      className={className}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
