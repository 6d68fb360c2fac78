import type { Feature } from "../feature.ts";
import { contentApi } from "./api.ts";

/** The words of editorial pages, policies and answers, as the owner edits them. */
export const contentFeature = { api: contentApi } satisfies Feature;
