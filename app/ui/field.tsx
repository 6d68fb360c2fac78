import CircleAlert from "lucide-react/icons/circle-alert";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Frame = {
  /** Also the element's id (unless `id` is given), so that an error summary can link to `#name`. */
  name: string;
  label: ReactNode;
  /** Help below the control; an `error` takes its place. */
  hint?: ReactNode;
  error?: ReactNode;
  /** Adds "(optional)" to the label. Required fields get " *". */
  optional?: boolean;
  /** Classes of the outer element: its place in the form's grid. */
  className?: string;
};

/** Props of a control together with its label, help and error. */
export type Framed<Tag extends "input" | "select" | "textarea"> = Frame &
  Omit<ComponentProps<Tag>, keyof Frame>;

export const controlClass =
  "w-full min-h-12.5 rounded-sm border border-line-strong bg-surface px-[.9rem] py-[.7rem] text-body leading-[1.4] transition-[border-color,box-shadow] duration-(--dur-2) placeholder:text-[#6f7267] placeholder:opacity-100 hover:border-forest-700 focus:border-focus focus:outline-2 focus:outline-offset-0 focus:outline-focus aria-invalid:border-danger aria-invalid:inset-ring aria-invalid:inset-ring-danger disabled:border-line-disabled disabled:bg-[#f0eadd] disabled:text-[#6a6757]";

/** A text input with its label, help and error. */
export function Field({ label, hint, error, optional, className, ...input }: Framed<"input">) {
  const frame = { label, hint, error, optional, className, name: input.name, id: input.id };
  return (
    <FieldFrame {...frame} required={input.required}>
      {(aria) => <input type="text" {...input} {...aria} className={controlClass} />}
    </FieldFrame>
  );
}

/** Label, help and error of a control; `children` gets the ARIA attributes that refer to them. */
export function FieldFrame({
  name,
  id = name,
  label,
  hint,
  error,
  optional,
  required,
  className = "",
  children,
}: { [Key in keyof Frame]: Frame[Key] | undefined } & {
  id?: string | undefined;
  required?: boolean | undefined;
  children: (aria: {
    id: string | undefined;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}) {
  const noteId = error || hint ? `${id}-note` : undefined;
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-small leading-[1.4] font-medium">
        {label}
        {required && " *"}
        {optional && <span className="font-normal text-ink-muted"> (optional)</span>}
      </label>
      {children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": noteId })}
      {error ? (
        <p id={noteId} className="flex gap-1.5 text-caption font-medium text-danger">
          <Icon glyph={CircleAlert} size="small" className="mt-px" />
          <span>{error}</span>
        </p>
      ) : (
        hint && (
          <p id={noteId} className="text-caption text-ink-muted">
            {hint}
          </p>
        )
      )}
    </div>
  );
}
