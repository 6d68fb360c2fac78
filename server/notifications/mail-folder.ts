import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RenderedEmail } from "../../domain/email.ts";
import type { Message } from "./claim.ts";

/**
 * Keeps a message as two files, one to look at and one to read anywhere. Keeping it again writes the same files, so
 * a crash half-way leaves no second copy.
 */
export async function keepMail(
  folder: string,
  message: Pick<Message, "id" | "kind" | "createdAt">,
  recipient: string | null,
  { subject, html, text }: RenderedEmail,
): Promise<void> {
  const time = message.createdAt.toISOString().slice(0, 19).replaceAll(":", "-");
  const path = join(folder, `${time}-${message.kind}-${message.id}`);
  const header = `To: ${recipient ?? "the shop's owner (OWNER_EMAIL is not set)"}\nSubject: ${subject}\n\n`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await Promise.all([
    writeFile(`${path}.html`, html, { mode: 0o600 }),
    writeFile(`${path}.txt`, header + text, { mode: 0o600 }),
  ]);
}
