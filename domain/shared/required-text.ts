import * as v from "valibot";

/** Required text, trimmed. Invisible text counts as missing; characters that reorder surrounding text are refused. */
export function requiredText(max: number, missingMessage: string) {
  return v.pipe(
    v.string(missingMessage),
    v.trim(),
    v.check(isVisible, missingMessage),
    maxCharacters(max, `At most ${max} characters`),
    v.check((text) => !directionControls.test(text), "Contains characters that change the direction of text"),
  );
}

/** Like `requiredText`, but on one line: a line break in a name would add a line to printed and sent texts. */
export function requiredLine(max: number, missingMessage: string) {
  return v.pipe(requiredText(max, missingMessage), oneLine);
}

/** `v.maxLength` that counts a simple emoji as one character, as the API's description and the database do. */
function maxCharacters(max: number, message: string): v.MaxLengthAction<string, number, string> {
  const action = v.maxLength<string, number, string>(max, message);
  return {
    ...action,
    "~run": (text, config) =>
      text.typed && [...text.value].length <= max ? text : action["~run"](text, config),
  };
}

const lineWithoutBreaks = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
export const oneLine = v.regex<string, string>(lineWithoutBreaks, "Use one line");
export const isOneLine = (text: string) => lineWithoutBreaks.test(text);

/** Embeddings, overrides and isolates, which reorder whole passages. Direction marks are allowed: some languages need them. */
export const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether the text has visible characters. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(text);
}

/** A text without spaces and line breaks, such as a key or an address; may be empty. */
export function withoutSpaces(max: number) {
  return v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.maxLength(max, "Too long"),
    v.regex(/^[^\s\p{Cc}]*$/u, "Must have no spaces or line breaks"),
  );
}

/** An optional text: missing, null and "" become null. */
export function optionalText(max: number) {
  return v.optional(
    v.nullable(
      v.pipe(
        v.string("Must be text"),
        v.trim(),
        maxCharacters(max, `Use at most ${max} characters`),
        v.transform((text) => text || null),
      ),
    ),
    null,
  );
}
