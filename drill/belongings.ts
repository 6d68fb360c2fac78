import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scratchFolder } from "../test/scratch-folder.ts";

/** What a drill has started and made. All of it is ended and deleted with the process, however that comes about. */
export type Belongings = {
  /** The drill's own folder; whatever it makes lies below. */
  folder: string;
  /** `undo` is called when the process exits, before what was given earlier. Nothing waits for a promise then. */
  atEnd(undo: () => void): void;
  /** Starts a program that is killed at the end. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Makes `folder` a small disk of its own, in memory. Throws where this account may not mount. */
  mount(folder: string, megabytes: number): void;
};

/** Called once, before anything is started. */
export function createBelongings(): Belongings {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? scratchFolder(), "palmira-drill-"));
  // PostgreSQL may have to run as another account, which only has to get through.
  chmodSync(folder, 0o711);
  // For what is shared with the tests and makes folders of its own.
  process.env.TMPDIR = folder;
  const undos: (() => void)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 })];

  process.once("exit", () => {
    for (const undo of undos.reverse()) {
      try {
        undo();
      } catch (error) {
        console.error(error);
      }
    }
  });
  for (const [signal, code] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }

  return {
    folder,
    atEnd: (undo) => void undos.push(undo),
    spawn(command, args, options) {
      const child = spawn(command, args, options);
      undos.push(() => child.kill("SIGKILL"));
      return child;
    },
    mount(at, megabytes) {
      mkdirSync(at, { recursive: true });
      const problem = mount(at, megabytes);
      if (problem !== null) throw new Error(`${at} could not be mounted: ${problem}`);
      undos.push(() => spawnSync("umount", ["--lazy", at]));
    },
  };
}

/** Null where this account may mount a small disk, else the reason why not. */
export function whyNoMount(): string | null {
  if (process.platform !== "linux") return "small disks are mounted on Linux alone";
  if (process.getuid?.() !== 0) return "only root may mount a small disk";
  const at = mkdtempSync(join(tmpdir(), "mount-"));
  const problem = mount(at, 1);
  if (problem === null) spawnSync("umount", [at]);
  rmSync(at, { recursive: true });
  return problem;
}

/** Null, or what went wrong. */
function mount(at: string, megabytes: number): string | null {
  const options = `size=${megabytes}m,mode=700`;
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "palmira-drill", at]);
  return status === 0 ? null : String(stderr).trim() || "there is no such program";
}
