import { useState } from "react";
import { isSame, type PathOf, type ValueAt, valueAt, withValueAt } from "./value-path.ts";

/** Props of a control: of a switch for a boolean, otherwise of whatever hands over a value or an event with a text. */
type FieldProps<Value> = [Value] extends [boolean]
  ? { name: string; checked: boolean; onChange: (checked: boolean) => void }
  : {
      name: string;
      value: IsOptionalText<Value> extends true ? string : Value;
      error: string | undefined;
      onChange: (next: Value | { target: { value: string } }) => void;
    };
/** Turns what was typed into the value: needed where an empty text means null, or the value is a number. */
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

/** `form.field("shipping.line1")`: all that a control of these values needs. */
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
 * What is typed in a form. `check` says what is wrong with it, by path, shown from the first try to send it on;
 * `problems` is what the shop said of the last try.
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
    /** Counts the tries, so that each can be told anew. */
    tries,
    set: (change: Partial<Values>) => setValues((before) => ({ ...before, ...change })),
    field: fieldsOf(values, errors, setValues),
    /** Shows from now on what is wrong; answers whether the form can be sent. */
    submit(): boolean {
      setTries(tries + 1);
      return Object.keys(wrong).length === 0;
    },
    /** Back to the beginning, or to other values that are saved now. */
    reset(next = start): void {
      setStart(next);
      setValues(next);
      setTries(0);
    },
  };
}
