import type { Feature } from "../feature.ts";
import { recurring } from "../platform/jobs/jobs.ts";
import { importsApi } from "./api.ts";
import { purgeImports } from "./commands.ts";

const forgetJob = { name: "forget_imports", lane: "upkeep", priority: 10, everySeconds: 300 } as const;

/** Imports from CSV files. */
export const importsFeature = {
  api: importsApi,
  cron: (ctx) => [recurring(forgetJob, () => purgeImports(ctx))],
  purges: [purgeImports],
} satisfies Feature;
