import ChevronDown from "lucide-react/icons/chevron-down";
import CircleAlert from "lucide-react/icons/circle-alert";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

export type FrameProps = {
  /** Also the element's id (unless `id` is given), so that an error summary can link to `#name`. */
  name: string;
  label: ReactNode;
  /** Help below the control, replaced by an `error`. */
  hint?: ReactNode;
  error?: ReactNode;
  /** Adds "(optional)" to the label. Required fields get " *". */
  optional?: boolean;
  /** Classes of the outer element, for its position in the form's grid. */
  className?: string;
};

/** Props of a control together with its label, help and error. */
type FramedProps<Tag extends "input" | "select" | "textarea"> = FrameProps &
  Omit<ComponentProps<Tag>, keyof FrameProps>;

export const controlClass =
  "w-full min-h-12.5 rounded-sm border border-line-strong bg-surface px-[.9rem] py-[.7rem] text-body leading-[1.4] transition-[border-color,box-shadow] duration-(--dur-2) placeholder:text-[#6f7267] placeholder:opacity-100 hover:border-forest-700 focus:border-focus focus:outline-2 focus:outline-offset-0 focus:outline-focus aria-invalid:border-danger aria-invalid:inset-ring aria-invalid:inset-ring-danger disabled:border-line-disabled disabled:bg-[#f0eadd] disabled:text-[#6a6757]";

/** A text input with its label, help and error. */
export function Field({ label, hint, error, optional, className, ...input }: FramedProps<"input">) {
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
}: { [Key in keyof FrameProps]: FrameProps[Key] | undefined } & {
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

/** An input for an e-mail address, with a suitable on-screen keyboard and without automatic corrections. */
export function EmailField(props: Omit<FramedProps<"input">, "label"> & { label?: string }) {
  return (
    <Field
      label="Email Address"
      type="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
      {...props}
    />
  );
}

/** A multi-line text input with its label, help and error. */
export function TextArea({ label, hint, error, optional, className, ...area }: FramedProps<"textarea">) {
  const frame = { label, hint, error, optional, className, name: area.name, id: area.id };
  return (
    <FieldFrame {...frame} required={area.required}>
      {(aria) => <textarea {...area} {...aria} className={`${controlClass} min-h-36 resize-y`} />}
    </FieldFrame>
  );
}

/**
 * A native select with its label, help and error; `children` are the options. `required` sets only `aria-required`:
 * HTML allows the attribute `required` only if the first option is empty, and most lists start with a choice.
 */
export function Select({
  label,
  hint,
  error,
  optional,
  required,
  className,
  ...select
}: FramedProps<"select">) {
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

type Choice = string | number | readonly [value: string | number, text: string | number];

/** The options of a select: values with their texts, or values that are texts themselves. */
export function Options({ of: choices }: { of: Iterable<Choice> }) {
  return [...choices].map((choice) => {
    const [value, text] = typeof choice === "object" ? choice : [choice, choice];
    return (
      <option key={value} value={value}>
        {text}
      </option>
    );
  });
}

type FieldLink = { controlId: string; problem: string };

/** A form's errors, each linked to its field. */
export function FieldLinks({
  links,
  onFollow = (controlId) => document.getElementById(controlId)?.focus(),
}: {
  links: readonly FieldLink[];
  /** Replaces the default action, which focuses the field immediately. */
  onFollow?: (controlId: string) => void;
}) {
  return (
    <ul className="mt-1">
      {links.map(({ controlId, problem }) => (
        <li key={controlId}>
          <a
            href={`#${controlId}`}
            className="inline-flex min-h-11 items-center font-medium underline underline-offset-[.25em] md:min-h-6"
            onClick={(event) => {
              event.preventDefault();
              onFollow(controlId);
            }}
          >
            {problem}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A honeypot: an input that only bots fill in, hidden from people and from the keyboard. */
export function Honeypot({ id }: { id: string }) {
  return (
    <div aria-hidden="true" className="sr-only">
      <label htmlFor={id}>Leave this empty</label>
      <input type="text" id={id} name="website" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
