import type { Feature } from "../feature.ts";
import { privacyApi } from "./api.ts";
import { customerPrivacyApi } from "./customer-api.ts";
import { deletionTask, resumeDeletions } from "./deletion.ts";
import { privacyMail } from "./mail.ts";

/** A copy of what the shop stores about a person, and its deletion. */
export const privacyFeature = {
  api: [...privacyApi, ...customerPrivacyApi],
  tasks: (ctx) => [deletionTask(ctx)],
  mail: privacyMail,
  purges: [resumeDeletions],
} satisfies Feature;
