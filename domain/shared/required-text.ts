import * as v from "valibot";

/** Text that somebody has to enter, trimmed. What cannot be seen is none, and what reorders the text around it is refused. */
export function requiredText(max: number, missing: string) {
  return v.pipe(
    v.string(missing),
    v.trim(),
    v.check(isVisible, missing),
    v.maxLength(max, `At most ${max} characters`),
    v.check((text) => !turnsText.test(text), "Contains characters that change the direction of text"),
  );
}

/** The same in one line, for names: a line break in one would begin a new line of whatever is printed or sent. */
export function requiredLine(max: number, missing: string) {
  return v.pipe(requiredText(max, missing), oneLine);
}

const line = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
export const oneLine = v.regex<string, string>(line, "Use one line");
export const isOneLine = (text: string) => line.test(text);

/** Marks that join or place single letters are part of how languages are written; these turn whole stretches of text. */
export const turnsText = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether there is anything to see in it. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(text);
}
