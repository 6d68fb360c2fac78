import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Step = {
  name: string;
  /** Arguments for Node, run in this order. */
  commands: string[][];
  /** Files and folders that the step reads. */
  inputs: string[];
  /** File that the step writes; if it is missing, the step is out of date even if its stamp matches. */
  output: string;
  /** Folders to empty first, because their files have new names in each build. */
  clears?: string[];
};

const steps: Step[] = [
  {
    name: "images",
    commands: [["scripts/build-images.ts"]],
    inputs: [
      "assets/images",
      "domain/catalog/product-image.ts",
      "scripts/build-images.ts",
      "server/catalog/pictures/files.ts",
    ],
    output: "build/images",
  },
  {
    name: "pages",
    commands: [["node_modules/@react-router/dev/bin.cjs", "build"], ["scripts/build/client-files.ts"]],
    inputs: [
      "app",
      "content",
      "domain",
      "assets",
      "public",
      "scripts/build",
      "server/pages/shop-manifest.ts",
      "react-router.config.ts",
      "vite.config.ts",
      "tsconfig.json",
    ],
    output: "build/server",
    clears: ["build/client", "build/server"],
  },
  {
    name: "e-mails",
    commands: [["node_modules/vite/bin/vite.js", "build", "--config", "vite.emails.config.ts"]],
    inputs: ["emails", "domain", "vite.emails.config.ts", "tsconfig.json"],
    output: "build/emails",
  },
];

process.chdir(join(import.meta.dirname, ".."));
const isQuiet = process.argv.includes("--quiet");

if (process.argv.includes("--check")) {
  // The exit code is 0 if everything is up to date.
  process.exitCode = steps.every((step) => isFresh(step, hashInputs(step.inputs))) ? 0 : 1;
} else {
  // The steps run in parallel, since each leaves a core idle at times, and again until all are fresh, since the pages' step
  // reads the manifest that the images' step writes.
  while ((await Promise.all(steps.map(buildIfStale))).includes(true));
}

async function buildIfStale(step: Step): Promise<boolean> {
  const { name, commands, clears = [] } = step;
  const hash = hashInputs(step.inputs);
  if (isFresh(step, hash)) return false;
  if (!isQuiet) console.log(`Building ${name} ...`);
  for (const path of [stampFile(step), ...clears]) rmSync(path, { recursive: true, force: true });
  for (const command of commands) await runNode(name, command);
  mkdirSync(join("build", "stamps"), { recursive: true });
  writeFileSync(stampFile(step), hash);
  return true;
}

function isFresh(step: Step, hash: string): boolean {
  const stamp = stampFile(step);
  return existsSync(step.output) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
}

function stampFile({ name }: Step): string {
  return join("build", "stamps", name);
}

async function runNode(name: string, command: string[]): Promise<void> {
  const options = { env: { ...process.env, NODE_ENV: "production" }, maxBuffer: 50_000_000 };
  await new Promise<void>((resolve) =>
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (!error) return resolve();
      process.stderr.write(`${stdout}${stderr}\nBuilding ${name} failed.\n`);
      process.exit(1);
    }),
  );
}

/** Hashes contents, not times: a fresh clone or another branch changes the times of unchanged files. */
function hashInputs(inputs: string[]): string {
  const hash = createHash("sha256");
  for (const input of [...inputs, "package-lock.json"].filter((path) => existsSync(path))) {
    const files = statSync(input).isDirectory()
      ? readdirSync(input, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
          .map(({ parentPath, name }) => join(parentPath, name))
          .sort()
      : [input];
    for (const file of files) hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex");
}
