import * as v from "valibot";

const words = (least: number, most: number) =>
  v.pipe(v.string(), v.trim(), v.minLength(least), v.maxLength(most));

/** What stands at the top of each file in this folder. The build refuses one that does not fit. */
export const frontMatterSchema = v.strictObject({
  /** In the browser's tab and where the page is found or shared. */
  title: words(3, 60),
  /** What search engines show: one or two plain sentences. */
  description: words(50, 160),
  /** The page's first line, where it is longer than the title. */
  heading: v.optional(words(3, 80)),
  /** The same for a shop that gives nothing of its proceeds, where `heading` speaks of giving. */
  headingWithoutGiving: v.optional(words(3, 80)),
  lead: words(10, 200),
});
export type FrontMatter = v.InferOutput<typeof frontMatterSchema>;
