import checker from "@zootools/email-spell-checker";

/** Widely used domains that the package would otherwise report as misspellings. */
const moreDomains = [
  "gmx.at",
  "gmx.ch",
  "gmx.de",
  "gmx.net",
  "hey.com",
  "mail.de",
  "pm.me",
  "proton.me",
  "web.de",
];

/** "ada@gmial.com" -> "ada@gmail.com"; null if nothing looks mistyped. */
export function suggestedEmail(email: string): string | null {
  return checker.run({ email, domains: [...checker.POPULAR_DOMAINS, ...moreDomains] })?.full ?? null;
}
