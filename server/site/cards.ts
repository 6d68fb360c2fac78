import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type ShareCard, shareCardPath } from "../../domain/site/share-card.ts";

/** The preview picture of a shared page. `photograph`: reads the photograph that the card shows. */
export type Card = ShareCard & { path: string; photograph(): Promise<Buffer> };

/** First line of the drawing process's input; the photograph follows. */
export type CardToDraw = Pick<Card, "lines">;

type CardResult = { found: true; jpeg: Buffer } | { found: false; movedTo: string };

const drawTimeoutMs = 20_000;

/**
 * Draws cards on first request and caches them in `folder`, under a hash of their text. If a card cannot be written, this
 * is reported and the card drawn again next time.
 */
export function createCardCache(
  folder: string,
  findCard: (name: string) => Promise<Card | null>,
  report: (error: unknown) => void,
) {
  const pendingCards = new Map<string, Promise<Buffer>>();
  let lastDrawing: Promise<unknown> = Promise.resolve();

  /** Draws one card at a time, because each takes a core for half a second. */
  const queueDrawing = (card: Card): Promise<Buffer> => {
    const jpeg = lastDrawing.then(async () => draw(card, await card.photograph()));
    lastDrawing = jpeg.catch(() => {});
    return jpeg;
  };

  const readOrDraw = async (file: string, card: Card): Promise<Buffer> => {
    const cached = await readFile(join(folder, file)).catch(() => null);
    if (cached) return cached;
    const jpeg = await queueDrawing(card);
    await writeCard(folder, file, jpeg).catch(report);
    return jpeg;
  };

  /** Null if there is no such card. The URL of an outdated card redirects to the current one, for links already shared. */
  return async (file: string): Promise<CardResult | null> => {
    const [name = ""] = file.split(".");
    const card = await findCard(name);
    if (!card) return null;
    const path = shareCardPath(card.path, card);
    const currentFile = path.slice(path.lastIndexOf("/") + 1);
    if (file !== currentFile) return { found: false, movedTo: path };
    const jpeg = pendingCards.get(file) ?? readOrDraw(file, card).finally(() => pendingCards.delete(file));
    pendingCards.set(file, jpeg);
    return { found: true, jpeg: await jpeg };
  };
}

/** Older partial files were left by killed processes: writing a card takes far less. */
const partialLifeMs = 60 * 60 * 1000;

/**
 * Writes a card atomically, so that readers never see a partial file. Deletes its outdated versions, and partial files of any
 * card that killed processes have left.
 */
async function writeCard(folder: string, file: string, jpeg: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `.${file}.${randomUUID()}`);
  await writeFile(partial, jpeg);
  await rename(partial, join(folder, file));
  const [name] = file.split(".");
  for (const entry of await readdir(folder)) {
    const { mtimeMs = Date.now() } = (await stat(join(folder, entry)).catch(() => null)) ?? {};
    const isLeftover = entry.startsWith(".") && Date.now() - mtimeMs > partialLifeMs;
    const isOutdated = entry.startsWith(`${name}.`) && entry !== file;
    if (isLeftover || isOutdated) await rm(join(folder, entry), { force: true });
  }
}

async function draw({ path, lines }: Card, photograph: Buffer): Promise<Buffer> {
  const program = spawn(process.execPath, [join(import.meta.dirname, "draw-card.ts")], {
    // The current working directory may have been deleted.
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
    timeout: drawTimeoutMs,
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    program.once("error", reject);
    program.once("exit", resolve);
  });
  program.stdin.on("error", () => {});
  program.stdin.write(`${JSON.stringify({ lines } satisfies CardToDraw)}\n`);
  program.stdin.end(photograph);
  const [jpeg, errorOutput, code] = await Promise.all([buffer(program.stdout), buffer(program.stderr), exit]);
  if (code !== 0) throw new Error(`the card of ${path} could not be drawn: ${errorOutput.toString()}`);
  return jpeg;
}
