import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scratchFolder } from "../test/scratch-folder.ts";

/** Processes, folders and mounts of a drill. All are ended and deleted when its process exits, for any reason. */
export type DrillResources = {
  folder: string;
  /** Calls `undo` when the process exits, last registered first. It cannot wait for promises. */
  atEnd(undo: () => void): void;
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Mounts a small disk in memory at `folder`. Throws if the account may not mount. */
  mount(folder: string, megabytes: number): void;
};

export function createDrillResources(): DrillResources {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? scratchFolder(), "palmira-drill-"));
  // PostgreSQL may run as another account, which needs access to its subfolder.
  chmodSync(folder, 0o711);
  // Helpers of the tests create their folders here as well.
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
    mount(mountPoint, megabytes) {
      mkdirSync(mountPoint, { recursive: true });
      const problem = mount(mountPoint, megabytes);
      if (problem !== null) throw new Error(`${mountPoint} could not be mounted: ${problem}`);
      undos.push(() => spawnSync("umount", ["--lazy", mountPoint]));
    },
  };
}

/** Null if the account may mount a small disk, otherwise the reason. */
export function findMountProblem(): string | null {
  if (process.platform !== "linux") return "small disks are mounted only on Linux";
  if (process.getuid?.() !== 0) return "only root may mount a small disk";
  const mountPoint = mkdtempSync(join(tmpdir(), "mount-"));
  const problem = mount(mountPoint, 1);
  if (problem === null) spawnSync("umount", [mountPoint]);
  rmSync(mountPoint, { recursive: true });
  return problem;
}

/** Mounts a small disk; returns the error, or null. */
function mount(mountPoint: string, megabytes: number): string | null {
  const options = `size=${megabytes}m,mode=700`;
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "palmira-drill", mountPoint]);
  return status === 0 ? null : String(stderr).trim() || "there is no such program";
}
