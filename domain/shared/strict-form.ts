import * as v from "valibot";

/** An object schema that reports missing and unknown fields in plain words. */
export function strictForm<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, ({ expected, input, path }) => {
    if (expected === "never") return "There is no such field";
    return input === undefined && path ? "Is required" : "Must be an object";
  });
}
