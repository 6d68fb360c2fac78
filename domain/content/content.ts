import * as v from "valibot";
import { blockSchema } from "./blocks.ts";
import { type ContentKey, contentKeys } from "./pages.ts";

const line = (most: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.maxLength(most, `At most ${most} characters`),
    v.check((text) => !text.includes("\n"), "Must be one line"),
  );

/** A text as it is edited. What a kind of text has no use for is empty. */
export const contentTextSchema = v.strictObject({
  /** In the browser's tab and where the page is found or shared. */
  title: v.pipe(line(60), v.minLength(3, "At least 3 characters")),
  /** What search engines show: one or two plain sentences. */
  description: line(160),
  /** The page's first line, where it is longer than the title. */
  heading: line(80),
  /** The same while nothing is given, for a heading that speaks of giving. */
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

/** What a change began from: the id of the text's latest version or draft; null: there was none. */
const revisionSchema = v.nullable(v.pipe(v.number("Must be a number"), v.integer()));
/** `text` null: the shop's own words. */
export const contentChangeSchema = v.strictObject({
  revision: revisionSchema,
  text: v.nullable(contentTextSchema),
});
export const contentPreviewSchema = v.strictObject({ text: contentTextSchema });

export const contentParams = v.object({ key: v.picklist(contentKeys, "There is no such text") });

const byAt = { at: v.string(), by: v.string() };
const publishedSchema = v.object({ id: v.number(), ...byAt });

export const contentListSchema = v.array(
  v.object({
    key: v.picklist(contentKeys),
    name: v.string(),
    path: v.string(),
    /** Null: the shop's own words are shown. */
    published: v.nullable(publishedSchema),
    draft: v.nullable(publishedSchema),
    /** The shop's own words have changed since the owner's were published. */
    isShippedNewer: v.boolean(),
  }),
);

export const editedContentSchema = v.object({
  key: v.picklist(contentKeys),
  revision: revisionSchema,
  /** What shoppers read. */
  text: contentTextSchema,
  published: v.nullable(publishedSchema),
  draft: v.nullable(v.object({ ...publishedSchema.entries, text: contentTextSchema })),
  /** The shop's own words, as this version brings them. */
  shipped: contentTextSchema,
  isShippedNewer: v.boolean(),
  /** What may be named in this text, and what it stands for now; null: nothing. */
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

export const contentVersionsSchema = v.object({
  data: v.array(
    v.object({
      ...publishedSchema.entries,
      /** Null: back to the shop's own words. */
      text: v.nullable(contentTextSchema),
    }),
  ),
  nextCursor: v.nullable(v.number()),
});
export type ContentVersion = v.InferOutput<typeof contentVersionsSchema>["data"][number];

export const checkedContentSchema = v.object({
  blocks: v.array(blockSchema),
  /** The page's first lines, with today's facts. */
  heading: v.string(),
  lead: v.string(),
  /** Field -> what keeps the text from being published. */
  problems: v.record(v.string(), v.string()),
  /** What the owner should think about first. */
  warnings: v.array(v.string()),
});

/** What pages show of a text. */
export type ShownContent = Pick<ContentText, "title" | "description" | "heading" | "lead">;
export type { ContentKey };
