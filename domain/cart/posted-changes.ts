/**
 * What forms sent without JavaScript have changed in the server's cart. The browser's own cart does not know of it: the
 * answer tells in a cookie, and the next page whose scripts run makes the same changes there. `quantity` 0 removes a line;
 * `atLeast` raises one to as many.
 */
export type PostedChange =
  | { kind: "add" | "buyNow" | "set"; productId: number; quantity: number }
  | { kind: "atLeast"; productId: number; quantity: number }
  | { kind: "clear" };

export const postedCookieName = "cart-posts";
const cookieDays = 30;
/** More than this is told as a whole new cart, so that the cookie stays small in browsers that never run a script. */
const changesMax = 20;

const letters = { a: "add", b: "buyNow", s: "set", l: "atLeast" } as const;
const entry = /^([a-z])(\d{1,10})-(\d{1,2})$/;

/** The changes in a `Cookie` header or `document.cookie`, oldest first. */
export function readPosted(cookies: string): PostedChange[] {
  const [, text = ""] = new RegExp(`(?:^|;\\s*)${postedCookieName}=([^;]*)`).exec(cookies) ?? [];
  return text.split(".").flatMap((part): PostedChange[] => {
    if (part === "c") return [{ kind: "clear" }];
    const [, letter, productId, quantity] = entry.exec(part) ?? [];
    if (letter !== "a" && letter !== "b" && letter !== "s" && letter !== "l") return [];
    return [{ kind: letters[letter], productId: Number(productId), quantity: Number(quantity) }];
  });
}

/** `Set-Cookie` with more changes; `cart` is what the server's cart holds after them. */
export function postedCookie(
  cookies: string,
  added: readonly PostedChange[],
  cart: readonly { productId: number; quantity: number }[],
  isSecure: boolean,
): string {
  const before = added[0]?.kind === "clear" ? [] : readPosted(cookies);
  const whole = (): PostedChange[] => [
    { kind: "clear" },
    ...cart.map(({ productId, quantity }) => ({ kind: "add" as const, productId, quantity })),
  ];
  const changes = before.length + added.length <= changesMax ? [...before, ...added] : whole();
  return `${postedCookieName}=${changes.map(write).join(".")}; Path=/; Max-Age=${cookieDays * 86_400}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** What `document.cookie` takes to forget them. */
export const forgetPosted = `${postedCookieName}=; Path=/; Max-Age=0`;

function write(change: PostedChange): string {
  if (change.kind === "clear") return "c";
  const letter = { add: "a", buyNow: "b", set: "s", atLeast: "l" }[change.kind];
  return `${letter}${change.productId}-${change.quantity}`;
}
