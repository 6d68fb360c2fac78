import type { Feature } from "../feature.ts";
import { deletionTask, privacyMail, resumeDeletions } from "./deletion.ts";

/** Export and deletion of a person's data, collected from the `personalData` hooks of all features. */
export const privacyFeature = {
  tasks: (ctx) => [deletionTask(ctx)],
  mail: privacyMail,
  purges: [resumeDeletions],
} satisfies Feature;
