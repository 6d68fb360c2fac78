/** The path of a value inside another: "email", "shipping.line1", "items.0.quantity". */
export type PathOf<T> = T extends readonly (infer Item)[]
  ? `${number}` | `${number}.${PathOf<Item>}`
  : T extends object
    ? { [Key in keyof T & string]: Key | `${Key}.${PathOf<T[Key]>}` }[keyof T & string]
    : never;
export type ValueAt<T, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<PartAt<T, Key>, Rest>
  : PartAt<T, Path>;
type PartAt<T, Key extends string> = T extends readonly (infer Item)[]
  ? Item
  : Key extends keyof T
    ? T[Key]
    : never;

export function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce((at, key) => (at as Record<string, unknown> | null)?.[key], values);
}

/** A copy of the values with `value` at the path; unchanged parts keep their identity. */
export function withValueAt<T>(values: T, path: string, value: unknown): T {
  const [key = "", ...rest] = path.split(".");
  const part = (values as Record<string, unknown>)[key];
  const next = rest.length === 0 ? value : withValueAt(part, rest.join("."), value);
  return (Array.isArray(values) ? values.with(Number(key), next) : { ...values, [key]: next }) as T;
}

/** Whether two JSON values are equal; unlike in JSON, NaN (an unfinished number) differs from null. */
export function isSame(one: unknown, other: unknown): boolean {
  const written = (value: unknown) => JSON.stringify(value, (_, part) => (Number.isNaN(part) ? "NaN" : part));
  return written(one) === written(other);
}
