import * as v from "valibot";
import { isVisible } from "../shared/required-text.ts";
import { hairSchema, skinSchema } from "./writer-traits.ts";

export const commentCharacters = { min: 10, max: 500 } as const;
const maxReviewerNameLength = 80;
export const maxReviewPhotos = 4;

/** A photo uploaded before its review is sent. */
export const photoIdSchema = v.pipe(v.string(), v.regex(/^u-[0-9a-f]{16}$/, "Is not a photo"));

/** Number of code points: a simple emoji is one. The database counts the same way. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** The stored form of a comment: trimmed, with single-character line ends. */
export function tidyComment(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}

/** A one-line name, or null. Removes characters that would reverse the direction of neighboring text. */
function tidyName(name: string | null): string | null {
  const line = name
    ?.replace(/\p{Bidi_Control}/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return line && isVisible(line) ? line : null;
}

const noRatingMessage = "Please select a rating";
const tooShortMessage = "Comment must be at least 10 characters";
/** The API's message for a missing field. */
export const missingReviewFields: Record<string, string> = {
  rating: noRatingMessage,
  comment: tooShortMessage,
};

/** The form, validated with the same messages in browser and API. */
export const reviewFormSchema = v.object({
  rating: v.pipe(
    v.number(noRatingMessage),
    v.integer(noRatingMessage),
    v.minValue(1, noRatingMessage),
    v.maxValue(5, noRatingMessage),
  ),
  comment: v.pipe(
    v.string(tooShortMessage),
    v.transform(tidyComment),
    v.check((text) => isVisible(text) && characterCount(text) >= commentCharacters.min, tooShortMessage),
    v.check(
      (text) => characterCount(text) <= commentCharacters.max,
      "Comment must be less than 500 characters",
    ),
  ),
  customerName: v.optional(
    v.pipe(
      v.nullable(v.string("Must be text")),
      v.transform(tidyName),
      v.nullable(
        v.pipe(
          v.string(),
          v.check(
            (name) => characterCount(name) <= maxReviewerNameLength,
            `Name must be at most ${maxReviewerNameLength} characters`,
          ),
        ),
      ),
    ),
    null,
  ),
  hair: v.optional(v.nullable(hairSchema), null),
  skin: v.optional(v.nullable(skinSchema), null),
});
export type ReviewForm = v.InferOutput<typeof reviewFormSchema>;
