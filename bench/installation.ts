import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figures.ts";
import { startShop } from "./shop-process.ts";

const root = join(import.meta.dirname, "..");

/** Sizes of the installed packages and of those in a production install. */
export function measureInstallation(): Figure[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const packages: [string, { dev?: true }][] = Object.entries(lock.packages);
  const toRun = packages.filter(([path, { dev }]) => path !== "" && !dev && existsSync(join(root, path)));
  return [
    { name: "node_modules", value: megabytes(["node_modules"]), unit: "MB", aim: { most: 700 } },
    {
      name: "of that in a production install",
      value: megabytes(toRun.map(([path]) => path)),
      unit: "MB",
      aim: { most: 350 },
    },
  ];
}

/** Time from `npm start` in a fresh clone of the last commit, installation and build included, until the shop is open. */
export async function measureFirstStart(): Promise<Figure[]> {
  const clone = mkdtempSync(join(tmpdir(), "palmira-clone-"));
  try {
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const shop = await startShop(join(clone, "data"), {}, clone);
    await shop.stop();
    const seconds = shop.startedInMs / 1_000;
    return [{ name: "first start from a clean checkout", value: seconds, unit: "s", aim: { most: 45 } }];
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/** Disk space; hard-linked files are counted once. */
function megabytes(paths: string[]): number {
  const output = execFileSync("du", ["-cskx", ...paths], { cwd: root, encoding: "utf8" });
  return Number(/^(\d+)\s+total$/m.exec(output)?.[1]) / 1024;
}
