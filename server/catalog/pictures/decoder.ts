import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { PictureFormat } from "../../../domain/catalog/product-image.ts";
import type { uploadLimits } from "../../../domain/catalog/upload-limits.ts";

export type Size = { width: number; format: PictureFormat };

/** The first line that the decoding process reads; the picture follows. */
export type PictureOrder = { task: "check" } | { task: "make"; sizes: Size[] };

/** Sides in pixels, upright. `reason`: a sentence for the owner. */
export type CheckedPicture =
  | { ok: true; width: number; height: number; type: (typeof uploadLimits.types)[number] }
  | { ok: false; reason: string };

/** The first line that it answers; the sizes follow, each of that many bytes. */
export type PictureAnswer = { ok: true; lengths: number[] } | { ok: false; reason: string };

export type MadeSizes = { ok: true; sizes: (Size & { bytes: Buffer })[] } | { ok: false; reason: string };

/** So many pictures wait for their turn already. */
export class PicturesBusy extends Error {
  override name = "PicturesBusy";
}

export type Decoder = {
  /** Reads all of an uploaded file. */
  check(bytes: Buffer): Promise<CheckedPicture>;
  /** Runs `work` when it is its turn: one at a time, because each takes a core and, for a large picture, some 100 MB. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Makes sizes of an original: call it in turn. */
  make(bytes: Buffer, sizes: Size[]): Promise<MadeSizes>;
};

const checkMs = 30_000;
const makeMs = 5 * 60_000;
const waitingMax = 100;
/** Far more than all sizes of one picture. */
const answerBytesMax = 64 * 1024 * 1024;

export function openDecoder(): Decoder {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= waitingMax) throw new PicturesBusy("too many pictures are waiting to be made");
    waiting += 1;
    const result = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = result.catch(() => {});
    return result;
  }
  return {
    inTurn,
    check: (bytes) =>
      inTurn(async () => (await run<CheckedPicture>({ task: "check" }, bytes, checkMs)).answer),
    async make(bytes, sizes) {
      const { answer, rest } = await run<PictureAnswer>({ task: "make", sizes }, bytes, makeMs);
      if (!answer.ok) return answer;
      let at = 0;
      return {
        ok: true,
        sizes: sizes.map((size, position) => {
          const from = at;
          at += answer.lengths[position] ?? 0;
          return { ...size, bytes: rest.subarray(from, at) };
        }),
      };
    },
  };
}

/** Throws where the program itself fails: out of memory or out of time. */
async function run<Answer>(
  order: PictureOrder,
  picture: Buffer,
  timeoutMs: number,
): Promise<{ answer: Answer; rest: Buffer }> {
  const program = spawn(process.execPath, [join(import.meta.dirname, "process.ts")], {
    // The shop's own folder may have been deleted.
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MALLOC_ARENA_MAX: "2",
    },
    timeout: timeoutMs,
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    program.once("error", reject);
    program.once("exit", resolve);
  });
  program.stdin.on("error", () => {});
  program.stdin.write(`${JSON.stringify(order)}\n`);
  program.stdin.end(picture);
  const chunks: Buffer[] = [];
  let length = 0;
  program.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > answerBytesMax) program.kill("SIGKILL");
    else chunks.push(chunk);
  });
  const closed = new Promise((resolve) => program.stdout.once("close", resolve));
  const [complaint, code] = await Promise.all([text(program.stderr), exit, closed]);
  if (code !== 0) throw new Error(`a picture could not be processed: ${complaint.slice(0, 2000)}`);
  const all = Buffer.concat(chunks);
  const lineEnd = all.indexOf("\n");
  return { answer: JSON.parse(all.toString("utf8", 0, lineEnd)) as Answer, rest: all.subarray(lineEnd + 1) };
}
