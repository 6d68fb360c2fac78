/** From here on an index of three letters finds text anywhere; what is shorter has to begin a word. */
const innerTextLength = 3;

/** The text as a pattern for LIKE, in which every character stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Patterns for LIKE that find what was typed, in small letters; `wordBreaks`: what may stand before a word. */
export function patternsFor(typed: string, wordBreaks: readonly string[] = [" "]): string[] {
  const text = escapeLike(typed.toLowerCase());
  if ([...typed].length >= innerTextLength) return [`%${text}%`];
  return [`${text}%`, ...wordBreaks.map((wordBreak) => `%${wordBreak}${text}%`)];
}
