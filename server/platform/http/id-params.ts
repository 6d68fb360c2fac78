import * as v from "valibot";
import { uuidSchema } from "../../../domain/shared/uuid.ts";

/** A row's numeric id in a path or query. */
export const numericId = v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Must be a number"), v.transform(Number));
/** Params of a path with one of them: `/api/admin/products/:id`. */
export const idParams = v.object({ id: numericId });

/** Params of a path with one UUID: `/api/admin/orders/:id`. */
export const uuidParams = v.object({ id: uuidSchema });
