import type { Feature } from "../feature.ts";
import { draftsApi } from "./api.ts";
import { draftsMail } from "./mail.ts";
import { payApi } from "./pay-api.ts";
import { eraseDrafts, exportDrafts, purgeDrafts } from "./personal-data.ts";

/** Orders that the owner writes for somebody: by phone, at a market, for a friend. */
export const draftsFeature = {
  api: [...draftsApi, ...payApi],
  mail: draftsMail,
  purges: [purgeDrafts],
  personalData: { lists: { drafts: exportDrafts }, erase: eraseDrafts },
} satisfies Feature;
