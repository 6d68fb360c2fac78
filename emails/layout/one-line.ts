export function splitLines(text: string): string[] {
  return text.split(/\r\n?|\n/).map(oneLine);
}

/** Text typed by a shopper on one line, so that it cannot imitate further lines of the e-mail. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** A message with one full stop, whether it came with its own or not. */
export const sentence = (message: string) => `${oneLine(message).replace(/\.$/, "")}.`;
