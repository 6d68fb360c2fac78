import * as v from "valibot";

/** The `limit` query parameter of a list: 1 to `max`, by default `defaultLimit`. */
export function pageLimit(defaultLimit: number, max = 100) {
  const sentence = `A whole number from 1 to ${max}`;
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, sentence),
      v.transform(Number),
      v.minValue(1, sentence),
      v.maxValue(max, sentence),
    ),
    String(defaultLimit),
  );
}
