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

/** A page of rows that were read with a limit of `limit + 1`. `nextCursor`: of its last row; null if no row follows. */
export function cutPage<Row, Cursor>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => Cursor) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : cursorOf(last) };
}
