import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";

/** A number that names a row, as it stands in a path or query. */
export const idText = v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Must be a number"), v.transform(Number));

/** Of a path that names one thing by its UUID: `/api/admin/orders/:id`. */
export const uuidParams = v.object({ id: uuidSchema });
