/** From this length a trigram index finds text anywhere; shorter text has to begin a word. */
const innerTextLength = 3;

/** Escapes text for LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** LIKE patterns for what was typed, in lower case; `wordBreaks`: what may precede a word. */
export function patternsFor(typed: string, wordBreaks: readonly string[] = [" "]): string[] {
  const text = escapeLike(typed.toLowerCase());
  if ([...typed].length >= innerTextLength) return [`%${text}%`];
  return [`${text}%`, ...wordBreaks.map((wordBreak) => `%${wordBreak}${text}%`)];
}
