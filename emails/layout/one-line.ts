/** A text somebody typed, line by line. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/).map(oneLine);
}

/** What a shopper typed, kept from passing for further lines of the e-mail. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
