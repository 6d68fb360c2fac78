import * as v from "valibot";

/** E-mail address: one @, a dot in the domain, no spaces, at most 254 characters. */
export const emailSchema = v.pipe(
  v.string("Enter your email address"),
  v.trim(),
  v.minLength(1, "Enter your email address"),
  v.maxLength(254, "At most 254 characters"),
  v.regex(
    /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)+$/,
    "Enter a valid email address, like name@example.com",
  ),
);
