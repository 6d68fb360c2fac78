import { useState } from "react";

/** Props of a control: a switch for a boolean; otherwise any control that calls `onChange` with a value or an input event. */
export type FieldProps<Value> = [Value] extends [boolean]
  ? { name: string; checked: boolean; onChange: (checked: boolean) => void }
  : {
      name: string;
      value: IsOptionalText<Value> extends true ? string : Value;
      error: string | undefined;
      onChange: (next: Value | { target: { value: string } }) => void;
    } & (IsOptionalText<Value> extends true ? { optional?: true } : unknown);
/** Converts the control's text to the value: needed if an empty text means null, or if the value is a number. */
type Read<Value> = (text: string) => [Value] extends [string | null] ? string | null : Value;
/** Whether an empty text of this value means null. */
type IsOptionalText<Value> = [Value] extends [string | null] ? (null extends Value ? true : false) : false;
export type FieldOf<Values> = <Path extends PathOf<Values>>(
  path: Path,
  ...read: IsOptionalText<ValueAt<Values, Path>> extends true
    ? [Read<ValueAt<Values, Path>>]
    : [Read<ValueAt<Values, Path>>?]
) => FieldProps<ValueAt<Values, Path>>;

/** A `read` function for optional texts: an empty text means null, and the field is marked as optional. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text);

/** A `read` function for a select whose first option, for null, is empty. */
export const choiceOrNull = (choice: string): string | null => choice || null;

/** Returns `field`: `field("shipping.line1")` gives the props of the control for that value. */
export function formFields<Values extends object>(
  values: Values,
  errors: Record<string, string>,
  onChange: (edit: (previous: Values) => Values) => void,
): FieldOf<Values> {
  const field = (path: string, read?: Read<unknown>) => {
    const value = valueAt(values, path);
    const change = (next: unknown) => {
      const isEvent = typeof next === "object" && next !== null && "target" in next;
      const input = isEvent ? (next.target as { value: string }).value : next;
      const newValue = isEvent && read ? read(input as string) : input;
      onChange((previous) => withValueAt(previous, path, newValue));
    };
    if (typeof value === "boolean") return { name: path, checked: value, onChange: change };
    const optional = read === orNull && { optional: true };
    return {
      name: path,
      value: read ? (value ?? "") : value,
      error: errors[path],
      onChange: change,
      ...optional,
    };
  };
  return field as FieldOf<Values>;
}

/**
 * Holds the values of a form. `check` returns error messages by path, shown from the first submit on; `problems` are the
 * API's error messages for the last submit.
 */
export function useForm<Values extends object>(
  initial: Values | (() => Values),
  {
    check,
    problems,
  }: { check?: (values: Values) => Record<string, string>; problems?: Record<string, string> } = {},
) {
  const [initialValues, setInitialValues] = useState(initial);
  const [values, setValues] = useState(initialValues);
  const [submitCount, setSubmitCount] = useState(0);
  const checkErrors = check?.(values) ?? {};
  const errors: Record<string, string> = { ...problems, ...(submitCount > 0 && checkErrors) };
  return {
    values,
    errors,
    isDirty: !isSame(values, initialValues),
    /** Number of submits; effects that depend on it run after each submit. */
    submitCount,
    set: (change: Partial<Values>) => setValues((previous) => ({ ...previous, ...change })),
    field: formFields(values, errors, setValues),
    /** Shows the errors of `check` from now on; returns whether the form is valid. */
    submit(): boolean {
      setSubmitCount(submitCount + 1);
      return Object.keys(checkErrors).length === 0;
    },
    /** Resets the form to the initial values, or to `next`, which becomes the initial values. */
    reset(next = initialValues): void {
      setInitialValues(next);
      setValues(next);
      setSubmitCount(0);
    },
  };
}

/** The path of a value inside another: "email", "shipping.line1", "items.0.quantity". */
type PathOf<T> = T extends readonly (infer Item)[]
  ? `${number}` | `${number}.${PathOf<Item>}`
  : T extends object
    ? { [Key in keyof T & string]: Key | `${Key}.${PathOf<T[Key]>}` }[keyof T & string]
    : never;
type ValueAt<T, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<PartAt<T, Key>, Rest>
  : PartAt<T, Path>;
type PartAt<T, Key extends string> = T extends readonly (infer Item)[]
  ? Item
  : Key extends keyof T
    ? T[Key]
    : never;

function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce((part, key) => (part as Record<string, unknown> | null)?.[key], values);
}

/** A copy of the values with `value` at the path; unchanged parts keep their identity. */
function withValueAt<T>(values: T, path: string, value: unknown): T {
  const [key = "", ...rest] = path.split(".");
  const part = (values as Record<string, unknown>)[key];
  const next = rest.length === 0 ? value : withValueAt(part, rest.join("."), value);
  return (Array.isArray(values) ? values.with(Number(key), next) : { ...values, [key]: next }) as T;
}

/** Whether two JSON values are equal; unlike in JSON, NaN (an unfinished number) differs from null. */
export function isSame(a: unknown, b: unknown): boolean {
  const toJson = (value: unknown) => JSON.stringify(value, (_, part) => (Number.isNaN(part) ? "NaN" : part));
  return toJson(a) === toJson(b);
}
