import * as v from "valibot";
import { uuidSchema } from "../../../domain/shared/uuid.ts";

/** A row's numeric id in a path or query. */
export const numericId = v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Must be a number"), v.transform(Number));
/** Params of a path with one numeric id: `/api/admin/products/:id`. */
export const idParams = v.object({ id: numericId });

/** Params of a path with one UUID: `/api/admin/orders/:id`. */
export const uuidParams = v.object({ id: uuidSchema });

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

/** A page of rows that were read with a limit of `limit + 1`. `nextCursor`: cursor of its last row; null if no row follows. */
export function cutPage<Row, Cursor>(rows: readonly Row[], limit: number, getCursor: (row: Row) => Cursor) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : getCursor(last) };
}
