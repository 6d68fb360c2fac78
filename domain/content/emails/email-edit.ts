import * as v from "valibot";
import { emailTextKinds } from "./texts.ts";

/** Field -> its text in the editor. Missing fields have the default text. */
export const emailWordsSchema = v.pipe(
  v.record(
    v.pipe(v.string(), v.maxLength(40)),
    v.pipe(
      v.string("Must be text"),
      v.maxLength(4_000, "At most 4,000 characters"),
      v.transform((text) => text.replace(/\r\n?/g, "\n").trim()),
    ),
  ),
  v.check((fields) => Object.keys(fields).length <= 40, "Too many fields"),
);
export type EmailWords = v.InferOutput<typeof emailWordsSchema>;

const revisionSchema = v.nullable(v.pipe(v.number("Must be a number"), v.integer()));
/** `revision`: id that the edit is based on. `text` null: the default text. */
export const emailChangeSchema = v.strictObject({
  revision: revisionSchema,
  text: v.nullable(emailWordsSchema),
});
/** `sample`: name of the sample order to show. */
export const emailPreviewSchema = v.strictObject({
  text: emailWordsSchema,
  sample: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(0), v.maxValue(9)),
});

const kindSchema = v.picklist(emailTextKinds, "There is no such email");
export const emailParams = v.object({ kind: kindSchema });

const stampSchema = v.object({ id: v.number(), at: v.string(), by: v.string() });

export const emailListSchema = v.array(
  v.object({
    key: v.string(),
    name: v.string(),
    emails: v.array(
      v.object({
        kind: kindSchema,
        name: v.string(),
        when: v.string(),
        /** Null: the default text is sent. */
        published: v.nullable(stampSchema),
        draft: v.nullable(stampSchema),
        /** The default text has changed since the owner's was published. */
        isShippedNewer: v.boolean(),
      }),
    ),
  }),
);

export const editedEmailSchema = v.object({
  kind: kindSchema,
  name: v.string(),
  when: v.string(),
  revision: revisionSchema,
  text: emailWordsSchema,
  published: v.nullable(stampSchema),
  draft: v.nullable(v.object({ ...stampSchema.entries, text: emailWordsSchema })),
  /** The default text of this version. */
  shipped: emailWordsSchema,
  isShippedNewer: v.boolean(),
  fields: v.array(
    v.object({
      name: v.string(),
      label: v.string(),
      hint: v.nullable(v.string()),
      kind: v.picklist(["line", "words"]),
      most: v.number(),
      isOptional: v.boolean(),
      /** Placeholders that it must contain. */
      needs: v.array(v.string()),
    }),
  ),
  facts: v.array(v.object({ name: v.string(), label: v.string() })),
  samples: v.array(v.string()),
});
export type EditedEmail = v.InferOutput<typeof editedEmailSchema>;

export const emailVersionsSchema = v.object({
  data: v.array(
    v.object({
      ...stampSchema.entries,
      /** Null: back to the default text. */
      text: v.nullable(emailWordsSchema),
    }),
  ),
  nextCursor: v.nullable(v.number()),
});

export const checkedEmailSchema = v.object({
  /** Field -> problem that prevents publishing. */
  problems: v.record(v.string(), v.string()),
  /** Points for the owner to consider. */
  warnings: v.array(v.string()),
  /** The e-mail rendered with sample facts; null while there are problems. */
  rendered: v.nullable(v.object({ subject: v.string(), html: v.string(), text: v.string() })),
});
