import { StripeProblem } from "./problem.ts";

/** Decoded form data: `a[b][0]=c` is `{a: {b: {"0": "c"}}}`. All leaves are texts. */
export type Params = { [name: string]: string | Params };

export function decodeForm(form: string): Params {
  const params: Params = {};
  for (const [key, value] of new URLSearchParams(form)) {
    const path = key.split(/[[\]]+/).filter((part) => part !== "");
    const last = path.pop();
    if (last === undefined) throw StripeProblem.invalid("parameter_unknown", `Unreadable parameter: ${key}`);
    let current = params;
    for (const part of path) {
      const inner = current[part];
      const next: Params = typeof inner === "object" ? inner : {};
      current[part] = next;
      current = next;
    }
    current[last] = value;
  }
  return params;
}

/** Refuses unknown parameters, as Stripe does; these now include `payment_method_types`. */
export function refuseUnknown(params: Params, known: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown) {
    throw StripeProblem.invalid("parameter_unknown", `Received unknown parameter: ${unknown}`);
  }
}

export function readText(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "") {
    throw StripeProblem.invalid("parameter_missing", `Missing required param: ${name}.`);
  }
  return value;
}

export function readInteger(params: Params, name: string): number {
  const value = readText(params, name);
  if (!/^-?\d+$/.test(value)) {
    throw StripeProblem.invalid("parameter_invalid_integer", `Invalid integer: ${value}`);
  }
  return Number(value);
}

export function nestedParams(params: Params, name: string): Params {
  const value = params[name];
  return typeof value === "object" ? value : {};
}

/** Metadata within Stripe's limits: 50 keys of 40 characters, values of 500. */
export function readMetadata(params: Params): Record<string, string> {
  const entries = Object.entries(nestedParams(params, "metadata"));
  if (entries.length > 50) throw StripeProblem.invalid(null, "Metadata can have up to 50 keys");
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (typeof value !== "string" || value.length > 500 || key.length > 40) {
        throw StripeProblem.invalid(null, "Metadata keys have up to 40 characters, values up to 500");
      }
      return [key, value];
    }),
  );
}
