import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type ShareCard, shareCardPath } from "../../domain/site/share-card.ts";

/** The picture that stands for a page where it is shared. `photograph`: reads the picture on it. */
export type Card = ShareCard & { path: string; photograph(): Promise<Buffer> };

/** The first line that the program that draws reads; the photograph follows. */
export type CardToDraw = Pick<Card, "words">;

export type CardAnswer = { found: true; jpeg: Buffer } | { found: false; movedTo: string };

const drawingMs = 20_000;

/**
 * Draws each card when it is first asked for and keeps it in `folder`, named by what is written on it. What cannot be kept
 * is reported and drawn again.
 */
export function createCardCache(
  folder: string,
  cardNamed: (name: string) => Promise<Card | null>,
  report: (error: unknown) => void,
) {
  const underway = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: drawing takes a core for half a second. */
  const drawInTurn = (card: Card): Promise<Buffer> => {
    const jpeg = last.then(async () => draw(card, await card.photograph()));
    last = jpeg.catch(() => {});
    return jpeg;
  };

  const keptOrDrawn = async (file: string, card: Card): Promise<Buffer> => {
    const kept = await readFile(join(folder, file)).catch(() => null);
    if (kept) return kept;
    const jpeg = await drawInTurn(card);
    await keep(folder, file, jpeg).catch(report);
    return jpeg;
  };

  /** Null: no page has such a card. A former version leads to today's: links that people shared go on working. */
  return async (file: string): Promise<CardAnswer | null> => {
    const [name = ""] = file.split(".");
    const card = await cardNamed(name);
    if (!card) return null;
    const address = shareCardPath(card.path, card);
    const current = address.slice(address.lastIndexOf("/") + 1);
    if (file !== current) return { found: false, movedTo: address };
    const jpeg = underway.get(file) ?? keptOrDrawn(file, card).finally(() => underway.delete(file));
    underway.set(file, jpeg);
    return { found: true, jpeg: await jpeg };
  };
}

/** Written aside and renamed: nobody reads half a card. Earlier versions of the same card go. */
async function keep(folder: string, file: string, jpeg: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `.${file}.${randomUUID()}`);
  await writeFile(partial, jpeg);
  await rename(partial, join(folder, file));
  const [name] = file.split(".");
  const former = (await readdir(folder)).filter((other) => other.startsWith(`${name}.`) && other !== file);
  for (const other of former) await rm(join(folder, other), { force: true });
}

async function draw({ path, words }: Card, photograph: Buffer): Promise<Buffer> {
  const program = spawn(process.execPath, [join(import.meta.dirname, "draw-card.ts")], {
    // The shop's own folder may have been deleted.
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
    timeout: drawingMs,
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    program.once("error", reject);
    program.once("exit", resolve);
  });
  program.stdin.on("error", () => {});
  program.stdin.write(`${JSON.stringify({ words } satisfies CardToDraw)}\n`);
  program.stdin.end(photograph);
  const [jpeg, complaint, code] = await Promise.all([buffer(program.stdout), buffer(program.stderr), exit]);
  if (code !== 0) throw new Error(`the card of ${path} could not be drawn: ${complaint.toString()}`);
  return jpeg;
}
