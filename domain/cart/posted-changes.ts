/**
 * What forms sent without JavaScript have changed in the server's cart. The browser's own cart does not know of it: the
 * answer tells in a cookie, and the next page whose scripts run makes the same changes there. `quantity` 0 removes a line.
 */
export type PostedChange =
  | { kind: "add" | "buyNow" | "set"; productId: number; quantity: number }
  | { kind: "clear" };

export const postedCookieName = "cart-posts";
const cookieDays = 30;
/** More than this is told as a whole new cart, so that the cookie stays small in browsers that never run a script. */
const changesMax = 20;

const letters = { a: "add", b: "buyNow", s: "set" } as const;
const entry = /^([abs])(\d{1,10})-(\d{1,2})$/;

/** The changes in a `Cookie` header or `document.cookie`, oldest first. */
export function readPosted(cookies: string): PostedChange[] {
  const [, text = ""] = new RegExp(`(?:^|;\\s*)${postedCookieName}=([^;]*)`).exec(cookies) ?? [];
  return text.split(".").flatMap((part): PostedChange[] => {
    if (part === "c") return [{ kind: "clear" }];
    const [, letter, productId, quantity] = entry.exec(part) ?? [];
    if (letter !== "a" && letter !== "b" && letter !== "s") return [];
    return [{ kind: letters[letter], productId: Number(productId), quantity: Number(quantity) }];
  });
}

/** `Set-Cookie` with one more change; `cart` is what the server's cart holds after it. */
export function postedCookie(
  cookies: string,
  change: PostedChange,
  cart: readonly { productId: number; quantity: number }[],
  isSecure: boolean,
): string {
  const before = change.kind === "clear" ? [] : readPosted(cookies);
  const whole = (): PostedChange[] => [
    { kind: "clear" },
    ...cart.map(({ productId, quantity }) => ({ kind: "add" as const, productId, quantity })),
  ];
  const changes = before.length < changesMax ? [...before, change] : whole();
  return `${postedCookieName}=${changes.map(write).join(".")}; Path=/; Max-Age=${cookieDays * 86_400}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** What `document.cookie` takes to forget them. */
export const forgetPosted = `${postedCookieName}=; Path=/; Max-Age=0`;

function write(change: PostedChange): string {
  if (change.kind === "clear") return "c";
  const letter = { add: "a", buyNow: "b", set: "s" }[change.kind];
  return `${letter}${change.productId}-${change.quantity}`;
}
