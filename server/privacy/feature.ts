import type { Feature } from "../feature.ts";
import { deletionTask, resumeDeletions } from "./deletion.ts";
import { privacyMail } from "./mail.ts";

/** A copy of what the shop stores about a person, and its deletion: asked of every feature by its `personalData`. */
export const privacyFeature = {
  tasks: (ctx) => [deletionTask(ctx)],
  mail: privacyMail,
  purges: [resumeDeletions],
} satisfies Feature;
