import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { PictureFormat } from "../../../domain/catalog/product-image.ts";
import type { uploadLimits } from "../../../domain/catalog/upload-limits.ts";

export type Size = { width: number; format: PictureFormat };

/** First line of the decoding process's input; the picture follows. */
export type PictureRequest = { task: "check" } | { task: "encode"; sizes: Size[] };

/** Width and height in pixels after rotation. `reason`: a message for the owner. */
export type CheckedPicture =
  | { ok: true; width: number; height: number; type: (typeof uploadLimits.types)[number] }
  | { ok: false; reason: string };

/** First line of the decoding process's output. The encoded sizes follow; `lengths` are their lengths in bytes. */
export type PictureResult = { ok: true; lengths: number[] } | { ok: false; reason: string };

type EncodedSizes = { ok: true; sizes: (Size & { bytes: Buffer })[] } | { ok: false; reason: string };

/** Thrown if the decoding process exceeded a limit of time or memory, or crashed. */
class DecodingKilled extends Error {}

/** The refusal of an upload whose first decoding was killed, because the file is then the cause. Throws other errors. */
export function refusalIfKilled(error: unknown): { ok: false; reason: string } {
  if (!(error instanceof DecodingKilled)) throw error;
  return { ok: false, reason: "This picture takes too long to read. Save it smaller, or as JPEG." };
}

/** Thrown if too many pictures are queued, or if a picture was not made in time. */
export class PicturesBusy extends Error {
  override name = "PicturesBusy";
}

type Decoder = {
  /** Decodes an uploaded file completely. */
  check(bytes: Buffer): Promise<CheckedPicture>;
  /** Queues `work`. One piece of work runs at a time, because each needs a core and, for a large picture, about 100 MB. */
  runQueued<T>(work: () => Promise<T>): Promise<T>;
  /** Encodes an original in these sizes. Call it within `runQueued`. */
  encode(bytes: Buffer, sizes: Size[]): Promise<EncodedSizes>;
};

const checkTimeoutMs = 30_000;
const encodeTimeoutMs = 5 * 60_000;
const maxQueueLength = 100;
/** Maximum length of the process's output, far above the total of all sizes of one picture. */
const maxOutputBytes = 64 * 1024 * 1024;

export function openDecoder(): Decoder {
  let lastWork: Promise<unknown> = Promise.resolve();
  let queueLength = 0;
  async function runQueued<T>(work: () => Promise<T>): Promise<T> {
    if (queueLength >= maxQueueLength) throw new PicturesBusy("too many pictures are waiting to be decoded");
    queueLength += 1;
    const result = lastWork.then(work).finally(() => {
      queueLength -= 1;
    });
    lastWork = result.catch(() => {});
    return result;
  }
  return {
    runQueued,
    check: (bytes) =>
      runQueued(
        async () => (await runDecoder<CheckedPicture>({ task: "check" }, bytes, checkTimeoutMs)).result,
      ).catch(refusalIfKilled),
    async encode(bytes, sizes) {
      const { result, rest } = await runDecoder<PictureResult>(
        { task: "encode", sizes },
        bytes,
        encodeTimeoutMs,
      );
      if (!result.ok) return result;
      let offset = 0;
      return {
        ok: true,
        sizes: sizes.map((size, position) => {
          const start = offset;
          offset += result.lengths[position] ?? 0;
          return { ...size, bytes: rest.subarray(start, offset) };
        }),
      };
    },
  };
}

/** Runs the decoding process. Throws if it fails, for example because it exceeds its memory or time. */
async function runDecoder<Result>(
  request: PictureRequest,
  picture: Buffer,
  timeoutMs: number,
): Promise<{ result: Result; rest: Buffer }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "process.ts")], {
    // The current working directory may have been deleted.
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
    child.once("error", reject);
    child.once("exit", resolve);
  });
  child.stdin.on("error", () => {});
  child.stdin.write(`${JSON.stringify(request)}\n`);
  child.stdin.end(picture);
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxOutputBytes) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  const closed = new Promise((resolve) => child.stdout.once("close", resolve));
  const [errorOutput, code] = await Promise.all([text(child.stderr), exit, closed]);
  if (code === null) throw new DecodingKilled("the process that decodes a picture was killed");
  if (code !== 0) throw new Error(`a picture could not be processed: ${errorOutput.slice(0, 2000)}`);
  const output = Buffer.concat(chunks);
  const lineEnd = output.indexOf("\n");
  return {
    result: JSON.parse(output.toString("utf8", 0, lineEnd)) as Result,
    rest: output.subarray(lineEnd + 1),
  };
}
