import * as v from "valibot";
import { editedTextEntries, textChangeSchema, textStateEntries, textVersionsSchema } from "../versions.ts";
import { emailTextKinds } from "./texts.ts";

/** Field -> its text in the editor. Missing fields have the default text. */
export const emailFieldTextsSchema = v.pipe(
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
export type EmailFieldTexts = v.InferOutput<typeof emailFieldTextsSchema>;

export const emailChangeSchema = textChangeSchema(emailFieldTextsSchema);
/** `sample`: index in `samples` of the sample order to show. */
export const emailPreviewSchema = v.strictObject({
  text: emailFieldTextsSchema,
  sample: v.pipe(v.number("Must be a number"), v.integer(), v.minValue(0), v.maxValue(9)),
});

const kindSchema = v.picklist(emailTextKinds, "There is no such email");
export const emailParams = v.object({ kind: kindSchema });

export const emailListSchema = v.array(
  v.object({
    key: v.string(),
    name: v.string(),
    emails: v.array(
      v.object({
        kind: kindSchema,
        name: v.string(),
        when: v.string(),
        ...textStateEntries,
      }),
    ),
  }),
);

export const editedEmailSchema = v.object({
  kind: kindSchema,
  name: v.string(),
  when: v.string(),
  ...editedTextEntries(emailFieldTextsSchema),
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

export const emailVersionsSchema = textVersionsSchema(emailFieldTextsSchema);

export const checkedEmailSchema = v.object({
  /** Field -> problem that prevents publishing. */
  problems: v.record(v.string(), v.string()),
  /** Points for the owner to consider. */
  warnings: v.array(v.string()),
  /** The e-mail rendered with sample values; null while there are problems. */
  rendered: v.nullable(v.object({ subject: v.string(), html: v.string(), text: v.string() })),
});
