import type { ComponentProps } from "react";
import { Field } from "../../../ui/field.tsx";

/** An optional note, stored with the record. */
export function NoteField(field: Omit<ComponentProps<typeof Field>, "label">) {
  return <Field label="Note" optional autoComplete="off" maxLength={200} {...field} />;
}
