import type { Feature } from "../feature.ts";
import { overviewApi } from "./api.ts";

/** What waits for the people who run the shop, and where they find it. */
export const overviewFeature = { api: overviewApi } satisfies Feature;
