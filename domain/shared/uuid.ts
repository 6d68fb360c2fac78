import * as v from "valibot";

export const uuidSchema = v.pipe(v.string("Must be a UUID"), v.uuid("Must be a UUID"));

/** Chosen by the caller: repeated calls with the same id count as one. */
export const changeIdSchema = v.optional(v.pipe(uuidSchema, v.toLowerCase()));
