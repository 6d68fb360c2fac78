import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { shopHere } from "./shop-here.ts";

/** Text parts of the e-mails stored for this address, oldest first. */
export function mailTo(email: string): string[] {
  const folder = join(shopHere().dataDir, "mail");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .filter((text) => text.startsWith(`To: ${email}\n`));
}

/** The first link below `path` in an e-mail to `email` whose text contains `words`; waits for the e-mail. */
export async function linkInMail(email: string, words: string, path = "/orders/"): Promise<string> {
  const matchingMail = () => mailTo(email).find((text) => text.includes(words));
  await expect.poll(matchingMail).toBeDefined();
  const link = (matchingMail() ?? "")
    .match(/https?:\S+/g)
    ?.find((url) => new URL(url).pathname.startsWith(path));
  if (!link) throw new Error(`The mail to ${email} has no link to ${path}`);
  return link;
}
