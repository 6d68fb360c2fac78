/**
 * Whether the URL contains a user name or password, which can disguise its host:
 * "https://shop.example.com@elsewhere.example".
 */
export function hasUserInfo(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
