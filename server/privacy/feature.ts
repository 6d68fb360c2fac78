import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { announceDeletion } from "../outbox/commands.ts";
import { privacyApi } from "./api.ts";
import { type DeletionParts, deletionTask, resumeDeletions } from "./deletion.ts";

const deletionParts = (ctx: ShopContext): DeletionParts => ({ ...ctx, announce: announceDeletion });

export const privacyFeature = {
  api: (ctx) => privacyApi(deletionParts(ctx)),
  tasks: (ctx) => [deletionTask(deletionParts(ctx))],
  purges: [
    function continueDeletions({ db }) {
      return resumeDeletions(db);
    },
  ],
} satisfies Feature;
