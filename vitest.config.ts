import { defineConfig } from "vitest/config";
import { integrationFiles, testFiles, troubleFiles } from "./test/integration-files.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { patienceMs } from "./test/patience.ts";
import { scratchFolder } from "./test/scratch-folder.ts";

// For whatever tests make below `tmpdir()`: databases, data folders, browser profiles.
process.env.TMPDIR ??= scratchFolder();
// Halves the processor time in which each shop that tests start as a process of its own loads its modules.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/tests`;

/** `--sequence.shuffle.files --sequence.seed N` runs the files in another order, which none of them may mind. */
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

/** Node loads the modules of servers itself, which saves their transformation; pages are TSX, which it cannot. */
const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Renders pages as the shop does, without React's checks, which took a fifth of the time of tests of pages.
  env: { NODE_ENV: "production" },
};

const alike = {
  // A third of the time went into loading the same modules for every file; browser tests share their worker's browser.
  isolate: false,
  execArgv: ["--max-semi-space-size=16", `--import=${import.meta.dirname}/scripts/commands/cache-imports.ts`],
  // A test waits several times at most.
  testTimeout: 5 * patienceMs,
  hookTimeout: 3 * patienceMs,
  expect: { poll: { timeout: patienceMs } },
};

export default defineConfig({
  test: {
    // Two cores is what the shop is built for; more workers would only make the database wait.
    maxWorkers: 2,
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    projects: [
      {
        test: {
          name: "unit",
          include: [testFiles],
          exclude: [...integrationFiles, ...troubleFiles],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts"],
          ...alike,
        },
      },
      {
        test: {
          name: "integration",
          include: integrationFiles,
          globalSetup: ["test/global-database.ts"],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts", "test/close-left-open.ts"],
          ...alike,
          ...native,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: troubleFiles,
          globalSetup: ["e2e/global-shop.ts"],
          setupFiles: ["test/quiet-console.ts"],
          ...alike,
          ...native,
        },
      },
      {
        test: {
          // Run beside the drill, which breaks three servers.
          name: "trouble",
          include: troubleFiles,
          globalSetup: ["e2e/global-shop.ts", "test/global-database.ts"],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts"],
          ...alike,
          ...native,
        },
      },
    ],
  },
});
