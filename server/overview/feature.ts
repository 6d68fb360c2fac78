import type { Feature } from "../feature.ts";
import { overviewApi } from "./api.ts";

/** The panel's first page, counts, to-do list, issues, failed jobs and search. */
export const overviewFeature = { api: overviewApi } satisfies Feature;
