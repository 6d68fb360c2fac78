/** One @, a dot in the domain, no spaces. */
export const emailPattern = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)+$/;
export const emailLengthMax = 254;
export const emailSentences = {
  missing: "Enter your email address",
  tooLong: `At most ${emailLengthMax} characters`,
  wrong: "Enter a valid email address, like name@example.com",
};

/**
 * Without the characters that cannot be seen, which come with copied addresses, and with plain dots in the domain: mail goes to the
 * same mailbox through the full stops of East Asian keyboards.
 */
export function visibleEmail(text: string): string {
  return text
    .trim()
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[\u3002\uFF0E\uFF61](?=[^@]*$)/g, ".");
}

/** What is wrong with an address as it was typed, as `emailSchema` says it; for forms, which need no more than this. */
export function emailProblem(text: string): string | null {
  const email = visibleEmail(text);
  if (email === "") return emailSentences.missing;
  if (text.trim().length > emailLengthMax) return emailSentences.tooLong;
  return emailPattern.test(text.trim()) && emailPattern.test(email) ? null : emailSentences.wrong;
}
