import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
const roomyBytes = 2 * 1024 ** 3;

/** Folder for temporary files of tests: in memory if Linux has enough, which is several times as fast. */
export function scratchFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomyBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
