import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { smallestPicture, uploadedHash } from "../../../domain/catalog/product-image.ts";
import { exists, moveIntoPlace } from "./files.ts";

export type PictureOrder =
  | { task: "check"; source: string }
  | { task: "make"; source: string; file: string; hash: string; folder: string };

/** Sides in pixels, upright. `reason`: a sentence for the owner. */
export type PictureAnswer = { ok: true; width: number; height: number } | { ok: false; reason: string };

/** An original that was checked and is stored under its own name. */
export type StoredOriginal = { file: string; width: number; height: number };

/** Uploaded pictures on the disk: originals in `uploads`, which nobody is served, and their sizes in `images`. */
export type PictureStore = {
  /** Checks what was uploaded, and stores it. */
  add(bytes: Buffer): Promise<{ ok: true; original: StoredOriginal } | { ok: false; reason: string }>;
  /** Makes all sizes of a stored original; what is made already is left alone. */
  makeSizes(file: string): Promise<PictureAnswer>;
  /** Whether there is an original whose sizes are gone, as after a restored backup. */
  isUnmade(file: string): Promise<boolean>;
  /** Marks when a picture was taken out of use; its files go later. */
  retire(file: string): Promise<void>;
  /** Originals that nobody has touched since. */
  untouchedSince(before: Date): Promise<string[]>;
  /** Deletes an original and its sizes. */
  remove(file: string): Promise<void>;
};

const checkMs = 30_000;
const makeMs = 5 * 60_000;

/** `folder`: absolute path of DATA_DIR. */
export function openPictureStore(folder: string): PictureStore {
  const uploads = join(folder, "uploads");
  const images = join(folder, "images");
  const original = (file: string) => join(uploads, file.replace(/\.jpg$/, ""));
  /** One at a time: each takes a core and, for a large picture, some 100 MB. */
  const inTurn = createQueue();

  return {
    async add(bytes) {
      const file = `u-${randomBytes(8).toString("hex")}.jpg`;
      const partial = `${original(file)}.partial`;
      await mkdir(uploads, { recursive: true, mode: 0o700 });
      await writeFile(partial, bytes, { mode: 0o600 });
      try {
        const checked = await inTurn(() => run({ task: "check", source: partial }, checkMs));
        if (!checked.ok) return checked;
        await moveIntoPlace(partial, original(file));
        return { ok: true, original: { file, width: checked.width, height: checked.height } };
      } finally {
        await rm(partial, { force: true });
      }
    },
    async makeSizes(file) {
      const hash = uploadedHash(file);
      if (hash === null) throw new Error(`${file} was not uploaded`);
      if (!(await exists(original(file)))) {
        return { ok: false, reason: "The original is no longer on this machine. Upload it again." };
      }
      await mkdir(images, { recursive: true });
      return inTurn(() => run({ task: "make", source: original(file), file, hash, folder: images }, makeMs));
    },
    async isUnmade(file) {
      const smallest = join(folder, smallestPicture({}, file));
      return (await exists(original(file))) && !(await exists(smallest));
    },
    async retire(file) {
      const now = new Date();
      await utimes(original(file), now, now).catch(() => {});
    },
    async untouchedSince(before) {
      const names = await readdir(uploads).catch(() => []);
      const ages = await Promise.all(
        names.map(async (name) => ({ name, at: (await stat(join(uploads, name)).catch(() => null))?.mtime })),
      );
      return ages.flatMap(({ name, at }) => (at && at < before ? [`${name}.jpg`] : []));
    },
    async remove(file) {
      const stem = file.replace(/\.jpg$/, "");
      const made = (await readdir(images).catch(() => [])).filter((name) => name.startsWith(`${stem}-`));
      await Promise.all(made.map((name) => rm(join(images, name), { force: true })));
      // Last: as long as it is there, this is tried again.
      await rm(original(file), { force: true });
    },
  };
}

function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** Throws where the program itself fails: out of memory, out of time, out of disk. */
async function run(order: PictureOrder, timeoutMs: number): Promise<PictureAnswer> {
  const program = spawn(process.execPath, [join(import.meta.dirname, "process.ts")], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: "2" },
    timeout: timeoutMs,
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    program.once("error", reject);
    program.once("exit", resolve);
  });
  program.stdin.on("error", () => {});
  program.stdin.end(JSON.stringify(order));
  const [answer, complaint, code] = await Promise.all([text(program.stdout), text(program.stderr), exit]);
  if (code !== 0) throw new Error(`a picture could not be processed: ${complaint.slice(0, 2000)}`);
  return JSON.parse(answer) as PictureAnswer;
}
