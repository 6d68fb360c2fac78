import type { Feature } from "../feature.ts";
import { draftsApi } from "./api.ts";
import { draftsMail } from "./mail.ts";
import { payApi } from "./pay.ts";
import { eraseDrafts, exportDrafts, purgeDrafts } from "./personal-data.ts";

/** Draft orders: written by the owner for a buyer, for example on the phone or at a market. */
export const draftsFeature = {
  api: [...draftsApi, ...payApi],
  mail: draftsMail,
  purges: [purgeDrafts],
  personalData: { lists: { drafts: exportDrafts }, erase: eraseDrafts },
} satisfies Feature;
