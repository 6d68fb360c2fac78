/**
 * Parameters of the shop's links that contain a secret token: for orders, payments, forms, the panel, carts, mailing lists.
 */
const parameters = ["token", "review", "restore", "confirm"];
/**
 * Every token has 32 random or signed bytes in base64url, which are 43 characters, possibly preceded by the signed id. Mail
 * filters wrap a link in another one, where `=` is `%3D`; raw e-mails have `=3D` there; and people put underscores around
 * a link.
 */
const linkToken = new RegExp(
  String.raw`((?:[?&;]|%(?:25)*(?:3f|26))(?:${parameters.join("|")})(?:=(?:3D)?|%(?:25)*3d))(?:[\w.-]*\.)?[\w-]{43}[_-]*(?!\w)`,
  "gi",
);

/**
 * Replaces the tokens of all links in a text or HTML: `?token=...` becomes `?token=removed`. Applied to e-mails before the shop
 * stores them or shows them to anyone but the recipient.
 */
export function withInertLinks(text: string): string {
  return text.replace(linkToken, "$1removed");
}

/** Replaces the tokens of links in all texts of a value that becomes JSON. */
export function withInertLinksIn(value: unknown): unknown {
  if (typeof value === "string") return withInertLinks(value);
  if (Array.isArray(value)) return value.map(withInertLinksIn);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withInertLinksIn(field)]));
}
