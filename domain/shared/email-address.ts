import * as v from "valibot";
import { emailLengthMax, emailPattern, emailSentences, visibleEmail } from "./email-text.ts";

const form = v.regex<string, string>(emailPattern, emailSentences.wrong);

/**
 * E-mail address: one @, a dot in the domain, no spaces, at most 254 characters. Characters that cannot be seen come with
 * copied addresses: with them, mail would bounce and orders not be found by what their buyer types.
 */
export const emailSchema = v.pipe(
  v.string(emailSentences.missing),
  v.trim(),
  v.minLength(1, emailSentences.missing),
  v.maxLength(emailLengthMax, emailSentences.tooLong),
  // Before the transformation, too: what follows one is not in the API's description.
  form,
  v.transform(visibleEmail),
  form,
);
