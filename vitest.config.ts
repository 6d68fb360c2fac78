import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

/** `--sequence.shuffle.files --sequence.seed N` runs the files in another order, which none of them may mind. */
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

export default defineConfig({
  test: {
    // Two cores is what the shop is built for; more workers would only make the database wait.
    maxWorkers: 2,
    // The shop outlives it as well: see server/platform/stray-rejections.ts.
    onUnhandledError: ({ message }) =>
      !message.startsWith("Error occurred whilst returning jobs from local queue"),
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    projects: [
      {
        test: {
          name: "integration",
          include: ["{app,domain,emails,scripts,server,test}/**/*.test.{ts,tsx}"],
          globalSetup: ["test/global-database.ts"],
          setupFiles: ["test/server-globals.ts", "test/quiet-console.ts"],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          // A third of the time went into loading the same modules for every file.
          isolate: false,
          // The first page of a file has the whole build to load.
          expect: { poll: { timeout: 5_000 } },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["e2e/global-shop.ts"],
          setupFiles: ["test/quiet-console.ts"],
          // What is waited for comes at once, but on a machine that has much else to do.
          testTimeout: 300_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
