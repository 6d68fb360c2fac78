import * as v from "valibot";

export const uuidSchema = v.pipe(v.string("Must be a UUID"), v.uuid("Must be a UUID"));

/** Made by whoever asks for a change, who may have to ask again: under the same id it is the same change. */
export const changeIdSchema = v.optional(v.pipe(uuidSchema, v.toLowerCase()));
