import * as v from "valibot";

// Schemas shared by texts of pages, texts of e-mails and the menu: versions, a draft, and the default text.

/** Id of the version, or of the draft, on which an edit is based; null if there was none. */
const revisionSchema = v.nullable(v.pipe(v.number("Must be a number"), v.integer()));

const savedRevisionSchema = v.object({ id: v.number(), at: v.string(), by: v.string() });

/** Properties of a text in a list of texts. */
export const textStateEntries = {
  /** Null while the default text is shown. */
  published: v.nullable(savedRevisionSchema),
  draft: v.nullable(savedRevisionSchema),
  /** Whether the default text has changed since the owner's was published. */
  isShippedNewer: v.boolean(),
};

/** Properties of a text in its editor. */
export function editedTextEntries<const S extends v.GenericSchema>(text: S) {
  return {
    ...textStateEntries,
    revision: revisionSchema,
    text,
    draft: v.nullable(v.object({ ...savedRevisionSchema.entries, text })),
    /** The default text of this version of the shop. */
    shipped: text,
  };
}

/** A draft to save, or a text to publish. A null `text` deletes the draft, or publishes the default text. */
export function textChangeSchema<const S extends v.GenericSchema>(text: S) {
  return v.strictObject({ revision: revisionSchema, text: v.nullable(text) });
}

export function textVersionsSchema<const S extends v.GenericSchema>(text: S) {
  return v.object({
    data: v.array(
      v.object({
        ...savedRevisionSchema.entries,
        /** Null for the default text. */
        text: v.nullable(text),
      }),
    ),
    nextCursor: v.nullable(v.number()),
  });
}
