/** One @, a dot in the domain, no spaces. */
export const emailPattern = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)+$/;
export const maxEmailLength = 254;
export const emailSentences = {
  missing: "Enter your email address",
  tooLong: `At most ${maxEmailLength} characters`,
  wrong: "Enter a valid email address, like name@example.com",
};

/**
 * Removes invisible characters, which copied addresses contain, and replaces full stops of East Asian keyboards by dots, since
 * both lead to the same mailbox.
 */
export function visibleEmail(text: string): string {
  return text
    .trim()
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[\u3002\uFF0E\uFF61](?=[^@]*$)/g, ".");
}

/** The message of `emailSchema` for a typed address, without loading the schema library. */
export function emailProblem(text: string): string | null {
  const email = visibleEmail(text);
  if (email === "") return emailSentences.missing;
  if (text.trim().length > maxEmailLength) return emailSentences.tooLong;
  return emailPattern.test(text.trim()) && emailPattern.test(email) ? null : emailSentences.wrong;
}
