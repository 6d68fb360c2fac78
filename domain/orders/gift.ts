import * as v from "valibot";
import { directionControls, isVisible } from "../shared/required-text.ts";
import { strictForm } from "../shared/strict-form.ts";
import { maxGiftFromLength, maxGiftNoteLength } from "./order-limits.ts";

/** Number of lines that fit on a packing slip beside the items. */
const maxNoteLines = 12;

/** A gift as sent by buyers; texts that are missing or invisible become null. */
export const giftRequestSchema = strictForm({
  from: giftText(maxGiftFromLength, (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")),
  note: giftText(maxGiftNoteLength, tidyNote),
});

function giftText(max: number, tidy: (text: string) => string) {
  return v.optional(
    v.pipe(
      v.nullable(v.string("Must be text")),
      v.transform((text) => {
        const tidyText = tidy(text ?? "").trim();
        return isVisible(tidyText) ? tidyText : null;
      }),
      v.nullable(
        v.pipe(
          v.string(),
          v.maxLength(max, `At most ${max} characters`),
          v.check((text) => text.split("\n").length <= maxNoteLines, `At most ${maxNoteLines} lines`),
          v.check(
            (text) => !directionControls.test(text),
            "Contains characters that change the direction of text",
          ),
        ),
      ),
    ),
    null,
  );
}

/** Removes control characters except for line breaks, of which at most two remain in sequence. */
function tidyNote(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll("\t", " ")
    .replace(/(?!\n)\p{Cc}/gu, "")
    .replace(/[^\S\n]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}
