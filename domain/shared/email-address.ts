import * as v from "valibot";

const form = v.regex<string, string>(
  /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)+$/,
  "Enter a valid email address, like name@example.com",
);

/**
 * E-mail address: one @, a dot in the domain, no spaces, at most 254 characters. Characters that cannot be seen come with
 * copied addresses: with them, mail would bounce and orders not be found by what their buyer types.
 */
export const emailSchema = v.pipe(
  v.string("Enter your email address"),
  v.trim(),
  v.minLength(1, "Enter your email address"),
  v.maxLength(254, "At most 254 characters"),
  // Before the transformation, too: what follows one is not in the API's description.
  form,
  v.transform((text) => text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")),
  form,
);
