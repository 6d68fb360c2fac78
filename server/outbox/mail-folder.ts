import { writeFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RenderedEmail } from "../../domain/outbox/email.ts";
import type { Message } from "./settle.ts";
import type { MessageKind } from "./tables.ts";

/**
 * Saves a message as HTML and text files, which an owner without a mail server can read on the machine as well as in the outbox.
 * Saving it again overwrites the same files, so that a crash leaves no second copy.
 */
export async function saveMail(
  folder: string,
  message: SavedMail,
  recipient: string | null,
  { subject, html, text }: RenderedEmail,
): Promise<void> {
  const path = mailPath(folder, message);
  const header = `To: ${recipient ?? "the owner (OWNER_EMAIL is not set)"}\nSubject: ${subject}\n\n`;
  const write = () => {
    // Synchronous, because handing each step to another thread takes three times as long.
    writeFileSync(`${path}.html`, html, { mode: 0o600 });
    writeFileSync(`${path}.txt`, header + text, { mode: 0o600 });
  };
  try {
    write();
  } catch (error) {
    // The folder is created only if writing fails: checking for it each time would cost as much as writing.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    write();
  }
}

/** Deletes both files of a message; a message sent by a mail server has none. */
export async function deleteSavedMail(folder: string, message: SavedMail): Promise<void> {
  const path = mailPath(folder, message);
  await Promise.all([rm(`${path}.html`, { force: true }), rm(`${path}.txt`, { force: true })]);
}

/** The messages with files in the folder, which may be missing. */
export async function listSavedMail(folder: string): Promise<SavedMail[]> {
  const names = await readdir(folder).catch(() => []);
  const savedMail = names.flatMap((name) => {
    const [, date, hours, minutes, seconds, kind, id] = fileName.exec(name) ?? [];
    if (kind === undefined || id === undefined) return [];
    return [
      [
        id,
        { id, kind: kind as MessageKind, createdAt: new Date(`${date}T${hours}:${minutes}:${seconds}Z`) },
      ] as const,
    ];
  });
  return [...new Map(savedMail).values()];
}

const fileName =
  /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\w+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./;

type SavedMail = Pick<Message, "id" | "kind" | "createdAt">;

/** Path of a message's files without their extension. */
function mailPath(folder: string, { id, kind, createdAt }: SavedMail): string {
  const time = createdAt.toISOString().slice(0, 19).replaceAll(":", "-");
  return join(folder, `${time}-${kind}-${id}`);
}
