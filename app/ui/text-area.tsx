import { controlClass, FieldFrame, type Framed } from "./field.tsx";

/** A text of several lines with its label, help and error. */
export function TextArea({ label, hint, error, optional, className, ...area }: Framed<"textarea">) {
  const frame = { label, hint, error, optional, className, name: area.name, id: area.id };
  return (
    <FieldFrame {...frame} required={area.required}>
      {(aria) => <textarea {...area} {...aria} className={`${controlClass} min-h-36 resize-y`} />}
    </FieldFrame>
  );
}
