import * as v from "valibot";
import { emailPattern, emailSentences, maxEmailLength, visibleEmail } from "./email-text.ts";

const hasEmailForm = v.regex<string, string>(emailPattern, emailSentences.wrong);

/**
 * E-mail address: one @, a dot in the domain, no spaces, at most 254 characters. Removes invisible characters of copied
 * addresses, with which mail would bounce and searches fail.
 */
export const emailSchema = v.pipe(
  v.string(emailSentences.missing),
  v.trim(),
  v.minLength(1, emailSentences.missing),
  v.maxLength(maxEmailLength, emailSentences.tooLong),
  // Checked before the transformation as well, because the API's description omits checks after it.
  hasEmailForm,
  v.transform(visibleEmail),
  hasEmailForm,
);
