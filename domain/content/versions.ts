import * as v from "valibot";

// Schemas shared by texts of pages, texts of e-mails and the menu: versions, a draft, and the default text.

/** Id of the text's version or unpublished revision that the edit is based on; null: there was none. */
const revisionSchema = v.nullable(v.pipe(v.number("Must be a number"), v.integer()));

const stampSchema = v.object({ id: v.number(), at: v.string(), by: v.string() });

/** Of a text in a list. */
export const textStateEntries = {
  /** Null: the default text holds. */
  published: v.nullable(stampSchema),
  draft: v.nullable(stampSchema),
  /** The default text has changed since the owner's was published. */
  isShippedNewer: v.boolean(),
};

/** Of a text in its editor. */
export function editedTextEntries<const S extends v.GenericSchema>(text: S) {
  return {
    ...textStateEntries,
    revision: revisionSchema,
    text,
    draft: v.nullable(v.object({ ...stampSchema.entries, text })),
    /** The default text of this version. */
    shipped: text,
  };
}

/** Of a draft to save or a text to publish. `text` null: the default text; of a draft: none any more. */
export function textChangeSchema<const S extends v.GenericSchema>(text: S) {
  return v.strictObject({ revision: revisionSchema, text: v.nullable(text) });
}

export function textVersionsSchema<const S extends v.GenericSchema>(text: S) {
  return v.object({
    data: v.array(
      v.object({
        ...stampSchema.entries,
        /** Null: back to the default text. */
        text: v.nullable(text),
      }),
    ),
    nextCursor: v.nullable(v.number()),
  });
}
