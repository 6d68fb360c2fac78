import * as v from "valibot";

export const maxSavedReplies = 100;

const maxTitleLength = 80;
const maxTextLength = 5_000;

export const savedReplySchema = v.object({
  id: v.number(),
  title: v.string(),
  text: v.string(),
  /** Incremented with each change; a save names the revision it is based on. */
  revision: v.number(),
});
export type SavedReply = v.InferOutput<typeof savedReplySchema>;

const requiredText = (missingMessage: string, max: number) =>
  v.pipe(
    v.string(missingMessage),
    v.transform((text) => text.replace(/\r\n?/g, "\n").trim()),
    v.minLength(1, missingMessage),
    v.maxLength(max, `At most ${max.toLocaleString("en-US")} characters`),
  );

/** Body of `POST /api/admin/saved-replies`. */
export const newReplySchema = v.object({
  title: requiredText("Give it a name", maxTitleLength),
  text: requiredText("Write the answer", maxTextLength),
});

/** Body of `PUT /api/admin/saved-replies/{id}`. */
export const changedReplySchema = v.object({
  ...newReplySchema.entries,
  revision: v.pipe(
    v.number("Is required"),
    v.integer("Is required"),
    v.minValue(1),
    v.maxValue(2_147_483_647),
  ),
});

/** Values of placeholders; null if unknown. */
type ReplyFacts = { firstName: string | null; orderNumber: number | null };

export const replyPlaceholders = ["{first name}", "{order number}"] as const;

/** Replaces placeholders by values; those without a value are kept, to be replaced by hand. */
export function fillReply(text: string, { firstName, orderNumber }: ReplyFacts): string {
  return text
    .replace(/\{\s*first name\s*\}/gi, firstName ?? "{first name}")
    .replace(/\{\s*order number\s*\}/gi, orderNumber === null ? "{order number}" : `#${orderNumber}`);
}

/** The first unfilled placeholder; null if there is none. */
export function firstUnfilledPlaceholder(text: string): string | null {
  return /\{\s*(?:first name|order number)\s*\}/i.exec(text)?.[0] ?? null;
}

/** "Ada Obi" -> "Ada"; null if the text does not look like a name. */
export function parseFirstName(name: string): string | null {
  const [first = ""] = name.trim().split(/\s+/);
  return /^\p{L}[\p{L}’'-]*$/u.test(first) && first.length > 1 ? first : null;
}
