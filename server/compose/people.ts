import { contactApi } from "../contact/api.ts";
import { forgetContactMessages } from "../contact/commands.ts";
import { announceContactMessage, announceContactReply, announceDeletion } from "../outbox/commands.ts";
import { eraseContactMail } from "../outbox/personal-data.ts";
import { privacyApi } from "../privacy/api.ts";
import { type DeletionParts, deletionTask, resumeDeletions } from "../privacy/deletion.ts";
import { reviewsApi } from "../reviews/api.ts";
import { reviewTasks } from "../reviews/jobs.ts";
import type { Area, AreaParts } from "./area.ts";

/** What people say to the shop, and what it knows of them. */
export function peopleArea(parts: AreaParts): Area {
  const { db, limits, mailFolder, now, provider, sessionSecret, shop } = parts;
  const settings = parts.settings.shop;
  const deletion: DeletionParts = { db, now, settings, mailFolder, announce: announceDeletion };
  return {
    api: [
      ...reviewsApi({
        db,
        now,
        settings,
        reviews: shop.reviews,
        secret: sessionSecret,
        mode: provider.mode,
        takeReviewTurn: (visitorId) => limits.take("reviewer", visitorId),
      }),
      ...contactApi({
        db,
        now,
        announce: announceContactMessage,
        announceReply: announceContactReply,
        forgetMail: (tx, messageIds) => eraseContactMail(tx, messageIds, mailFolder),
      }),
      ...privacyApi(deletion),
    ],
    tasks: [...reviewTasks(db, provider.mode), deletionTask(deletion)],
    forgetters: [forgetContactMessages, resumeDeletions],
  };
}
