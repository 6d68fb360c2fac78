import { defineConfig } from "vitest/config";
import { integrationFiles, testFiles, troubleFiles } from "./test/integration-files.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { patienceMs } from "./test/patience.ts";
import { scratchFolder } from "./test/scratch-folder.ts";

// For everything that tests create below `tmpdir()`: databases, data folders, browser profiles.
process.env.TMPDIR ??= scratchFolder();
// Halves the processor time that shops started as separate processes need to load their modules.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/tests`;

/** `--sequence.shuffle.files --sequence.seed N` runs the files in another order, on which no test may depend. */
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

/** For tests of servers, whose modules Node loads itself, without Vite's transformation. It cannot load the TSX of pages. */
const serverOptions = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Renders pages as the shop does, without React's checks, which take a fifth of the time of page tests.
  env: { NODE_ENV: "production" },
};

const sharedOptions = {
  // Loading the same modules for every file would take a third of the time, and browser tests share their worker's browser.
  isolate: false,
  execArgv: ["--max-semi-space-size=16", `--import=${import.meta.dirname}/scripts/commands/cache-imports.ts`],
  // Long enough for a test that waits several times.
  testTimeout: 5 * patienceMs,
  hookTimeout: 3 * patienceMs,
  expect: { poll: { timeout: patienceMs } },
};

export default defineConfig({
  test: {
    // The shop is built for two cores; more workers would only wait for the database.
    maxWorkers: 2,
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    projects: [
      {
        test: {
          name: "unit",
          include: [testFiles],
          exclude: [...integrationFiles, ...troubleFiles],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts"],
          ...sharedOptions,
        },
      },
      {
        test: {
          name: "integration",
          include: integrationFiles,
          globalSetup: ["test/global-database.ts"],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts", "test/close-left-open.ts"],
          ...sharedOptions,
          ...serverOptions,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: troubleFiles,
          globalSetup: ["e2e/global-shop.ts"],
          setupFiles: ["test/quiet-console.ts"],
          ...sharedOptions,
          ...serverOptions,
        },
      },
      {
        test: {
          // Run beside the drill, which breaks three servers.
          name: "trouble",
          include: troubleFiles,
          globalSetup: ["e2e/global-shop.ts", "test/global-database.ts"],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts"],
          ...sharedOptions,
          ...serverOptions,
        },
      },
    ],
  },
});
