import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Step = {
  name: string;
  /** Arguments for Node, run one after the other. */
  commands: string[][];
  /** Files and folders it is made from. */
  inputs: string[];
  /** Made by it; without this the step is stale whatever its stamp says. */
  output: string;
  /** Emptied first: holds files whose names change with their content. */
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
      "server/catalog/picture-files.ts",
    ],
    output: "build/images",
  },
  {
    name: "pages",
    commands: [
      ["node_modules/@react-router/dev/bin.cjs", "build"],
      ["scripts/shop-manifest.ts"],
      ["scripts/compress-assets.ts"],
    ],
    inputs: [
      "app",
      "content",
      "domain",
      "assets",
      "public",
      "scripts/compress-assets.ts",
      "scripts/shop-manifest.ts",
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
const quiet = process.argv.includes("--quiet");

for (const { name, commands, inputs, output, clears = [] } of steps) {
  const stamp = join("build", "stamps", name);
  // Only now, not for all steps at once: an earlier step may write what this one is made from.
  const hash = hashInputs(inputs);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) continue;
  if (!quiet) console.log(`Building ${name} ...`);
  for (const path of [stamp, ...clears]) rmSync(path, { recursive: true, force: true });
  for (const command of commands) runNode(name, command);
  mkdirSync(join("build", "stamps"), { recursive: true });
  writeFileSync(stamp, hash);
}

function runNode(name: string, command: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env: { ...process.env, NODE_ENV: "production" },
    encoding: "utf8",
    maxBuffer: 50_000_000,
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}\nBuilding ${name} failed.\n`);
  process.exit(1);
}

/** Content decides, not times: a fresh clone and a switched branch give every file a new time. */
function hashInputs(inputs: string[]): string {
  const hash = createHash("sha256");
  for (const input of [...inputs, "package-lock.json"].filter((path) => existsSync(path))) {
    const files = statSync(input).isDirectory() ? globSync(`${input}/**/*`).sort() : [input];
    for (const file of files) {
      if (statSync(file).isFile() && !/\.test\.tsx?$/.test(file))
        hash.update(file).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}
