import { useState } from "react";
import { isSame, type PathOf, type ValueAt, valueAt, withValueAt } from "./value-path.ts";

/** Props of a control: a switch for a boolean; otherwise any control that calls `onChange` with a value or an input event. */
type FieldProps<Value> = [Value] extends [boolean]
  ? { name: string; checked: boolean; onChange: (checked: boolean) => void }
  : {
      name: string;
      value: IsOptionalText<Value> extends true ? string : Value;
      error: string | undefined;
      onChange: (next: Value | { target: { value: string } }) => void;
    };
/** Converts the typed text to the value: needed where an empty text means null, or the value is a number. */
type Read<Value> = (typed: string) => [Value] extends [string | null] ? string | null : Value;
/** Whether an empty text of this value means null. */
type IsOptionalText<Value> = [Value] extends [string | null] ? (null extends Value ? true : false) : false;
export type FieldOf<Values> = <Path extends PathOf<Values>>(
  path: Path,
  ...read: IsOptionalText<ValueAt<Values, Path>> extends true
    ? [Read<ValueAt<Values, Path>>]
    : [Read<ValueAt<Values, Path>>?]
) => FieldProps<ValueAt<Values, Path>>;

/** `read` of a text that may be missing. */
export const orNull = (typed: string): string | null => (typed.trim() === "" ? null : typed);

/** Returns `field`: `field("shipping.line1")` gives the props of the control for that value. */
export function fieldsOf<Values extends object>(
  values: Values,
  errors: Record<string, string>,
  onChange: (next: (before: Values) => Values) => void,
): FieldOf<Values> {
  const field = (path: string, read?: Read<unknown>) => {
    const value = valueAt(values, path);
    const change = (next: unknown) => {
      const isEvent = typeof next === "object" && next !== null && "target" in next;
      const typed = isEvent ? (next.target as { value: string }).value : next;
      const changed = isEvent && read ? read(typed as string) : typed;
      onChange((before) => withValueAt(before, path, changed));
    };
    if (typeof value === "boolean") return { name: path, checked: value, onChange: change };
    return { name: path, value: read ? (value ?? "") : value, error: errors[path], onChange: change };
  };
  return field as FieldOf<Values>;
}

/**
 * Holds the values of a form. `check` returns error sentences by path, shown from the first submit on; `problems` are the
 * API's error sentences for the last submit.
 */
export function useForm<Values extends object>(
  initial: Values | (() => Values),
  {
    check,
    problems,
  }: { check?: (values: Values) => Record<string, string>; problems?: Record<string, string> } = {},
) {
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(start);
  const [tries, setTries] = useState(0);
  const wrong = check?.(values) ?? {};
  const errors: Record<string, string> = { ...problems, ...(tries > 0 && wrong) };
  return {
    values,
    errors,
    isDirty: !isSame(values, start),
    /** Number of submits; effects that depend on it run for each one. */
    tries,
    set: (change: Partial<Values>) => setValues((before) => ({ ...before, ...change })),
    field: fieldsOf(values, errors, setValues),
    /** Shows the errors of `check` from now on; returns whether there are none. */
    submit(): boolean {
      setTries(tries + 1);
      return Object.keys(wrong).length === 0;
    },
    /** Back to the initial values, or to the values saved just now. */
    reset(next = start): void {
      setStart(next);
      setValues(next);
      setTries(0);
    },
  };
}
