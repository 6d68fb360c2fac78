import * as v from "valibot";
import { blockSchema } from "./blocks.ts";
import { type ContentKey, contentKeys } from "./pages.ts";
import { editedTextEntries, textChangeSchema, textStateEntries, textVersionsSchema } from "./versions.ts";

const line = (maxLength: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.maxLength(maxLength, `At most ${maxLength} characters`),
    v.check((text) => !text.includes("\n"), "Must be one line"),
  );

/** A text in the editor. Fields that a kind of text does not use are empty. */
export const contentTextSchema = v.strictObject({
  /** Shown in the browser's tab, in search results and in shared links. */
  title: v.pipe(line(60), v.minLength(3, "At least 3 characters")),
  /** Shown in search results: one or two plain sentences. */
  description: line(160),
  /** The page's heading, if it is longer than the title. */
  heading: line(80),
  /** The heading while the shop donates no share. */
  headingWithoutGiving: line(80),
  lead: line(200),
  /** Markdown with placeholders; no HTML. */
  body: v.pipe(
    v.string("Must be text"),
    v.transform((text) => `${text.replace(/\r\n?/g, "\n").trim()}\n`),
    v.minLength(2, "Please write something"),
    v.maxLength(40_000, "At most 40,000 characters"),
  ),
});
export type ContentText = v.InferOutput<typeof contentTextSchema>;

export const contentChangeSchema = textChangeSchema(contentTextSchema);
export const contentPreviewSchema = v.strictObject({ text: contentTextSchema });

export const contentParams = v.object({ key: v.picklist(contentKeys, "There is no such text") });

export const contentListSchema = v.array(
  v.object({
    key: v.picklist(contentKeys),
    name: v.string(),
    path: v.string(),
    ...textStateEntries,
  }),
);

export const editedContentSchema = v.object({
  key: v.picklist(contentKeys),
  ...editedTextEntries(contentTextSchema),
  /** Placeholders of this text with current values; null if it has no value. */
  placeholders: v.array(
    v.object({
      name: v.string(),
      label: v.string(),
      kind: v.picklist(["fact", "part", "condition"]),
      value: v.nullable(v.string()),
    }),
  ),
});
export type EditedContent = v.InferOutput<typeof editedContentSchema>;

export const contentVersionsSchema = textVersionsSchema(contentTextSchema);

export const checkedContentSchema = v.object({
  blocks: v.array(blockSchema),
  /** The heading with current values. */
  heading: v.string(),
  lead: v.string(),
  /** Field -> problem that prevents publishing. */
  problems: v.record(v.string(), v.string()),
  /** Points for the owner to consider. */
  warnings: v.array(v.string()),
});

/** A text's fields as pages show them. */
export type ShownContent = Pick<ContentText, "title" | "description" | "heading" | "lead">;
export type { ContentKey };
