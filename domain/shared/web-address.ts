/**
 * Whether a user name or password stands before the site's name: "https://shop.example.com@elsewhere.example" reads like
 * another address than it is.
 */
export function hasUserInfo(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== "" || password !== "";
}
