import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import { scheduleReviewRequest } from "../reviews/request.ts";
import {
  enqueueOrderCancelled,
  enqueueParcelCorrected,
  enqueueReturnAnswered,
  enqueueReturnDecided,
  enqueueReturnRequested,
  enqueueShipped,
  enqueueWithdrawn,
} from "./change-mail.ts";
import { enqueueConfirmationCopy } from "./mail.ts";
import type { OrderNews } from "./news.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Who is told of an order's changes: the buyer and the owner by e-mail, and the reviews when to ask for one. */
export function orderNews(settings: (tx: Db) => Promise<ShopSettings>): OrderNews {
  return {
    async shipped(tx, { orderId, at }) {
      const { reviews } = await settings(tx);
      await enqueueShipped(tx, orderId);
      await scheduleReviewRequest(tx, { orderId, runAt: daysAfter(at, reviews.requestAfterShippedDays) });
    },
    async delivered(tx, { orderId, at }) {
      const { reviews } = await settings(tx);
      await scheduleReviewRequest(tx, { orderId, runAt: daysAfter(at, reviews.requestAfterDeliveredDays) });
    },
    parcelCorrected: (tx, { orderId }) => enqueueParcelCorrected(tx, orderId),
    confirmationAskedFor: (tx, { orderId }) => enqueueConfirmationCopy(tx, orderId),
    cancelled: enqueueOrderCancelled,
    returnRequested: enqueueReturnRequested,
    returnDecided: enqueueReturnDecided,
    returnAnswered: enqueueReturnAnswered,
    withdrawn: enqueueWithdrawn,
  };
}

function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs);
}
