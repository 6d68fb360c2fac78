/**
 * Whether the URL contains a user name or password, which can disguise its host:
 * "https://shop.example.com@elsewhere.example".
 */
export function hasUserInfo(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== "" || password !== "";
}
