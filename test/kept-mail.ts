import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestShop } from "./shop.ts";

/** Text parts of the e-mails to an address that a shop without a mail server has stored, oldest first. */
export function keptMail({ dataDir }: TestShop, email: string, kind = ""): string[] {
  const folder = join(dataDir, "mail");
  return (
    readdirSync(folder)
      .filter((file) => file.includes(kind) && file.endsWith(".txt"))
      .map((file) => join(folder, file))
      // File names have a precision of seconds.
      .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
      .map((path) => readFileSync(path, "utf8"))
      .filter((text) => text.startsWith(`To: ${email}\n`))
  );
}

/** The token of the newest link of a kind e-mailed to an address; waits until all e-mails were sent. */
export async function mailedToken(shop: TestShop, email: string, kind: string): Promise<string> {
  await shop.jobsDone();
  const token = /token=([\w-]+)/.exec(keptMail(shop, email, kind).at(-1) ?? "")?.[1];
  if (token === undefined) throw new Error(`no ${kind} was mailed to ${email}`);
  return token;
}
