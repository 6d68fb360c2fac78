import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { privacyApi } from "./api.ts";
import { type DeletionParts, deletionTask, resumeDeletions } from "./deletion.ts";
import { enqueueDeletion, privacyMail } from "./mail.ts";

const deletionParts = (ctx: ShopContext): DeletionParts => ({ ...ctx, announce: enqueueDeletion });

export const privacyFeature = {
  api: (ctx) => privacyApi(deletionParts(ctx)),
  tasks: (ctx) => [deletionTask(deletionParts(ctx))],
  mail: privacyMail,
  purges: [
    function continueDeletions({ db }) {
      return resumeDeletions(db);
    },
  ],
} satisfies Feature;
