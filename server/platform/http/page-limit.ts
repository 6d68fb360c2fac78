import * as v from "valibot";

/** The `limit` query parameter of a list: 1 to `most`, default `standard`. */
export function pageLimit(standard: number, most = 100) {
  const sentence = `A whole number from 1 to ${most}`;
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, sentence),
      v.transform(Number),
      v.minValue(1, sentence),
      v.maxValue(most, sentence),
    ),
    String(standard),
  );
}
