import { closeOver } from "./flags-over.ts";
import { workListed } from "./listed-events.ts";
import { lookAgain } from "./look-again.ts";
import type { PaymentParts } from "./parts.ts";
import { ProviderRefused, ProviderUnavailable } from "./provider.ts";
import { cursorOf, type EventsRead, readEvents } from "./read-events.ts";
import { flagSilentWebhook } from "./silent-webhook.ts";

const hourMs = 60 * 60 * 1000;
/** Longest run, between calls; the next one goes on. */
const runMs = 15 * 60 * 1000;

/** `read`: false where the provider did not list its events. */
export type CaughtUp = { read: boolean; news: number; worked: number; failed: number; again: number };

/**
 * Job: learns what webhooks did not bring. The provider's list of events is read on from where it was left, what is new is
 * worked as if the webhook had brought it. Once a day, and every hour where events cannot be read, refunds and disputes are
 * looked through as well, which the provider lists for longer. Then the owner is told where the webhook is silent.
 */
export async function catchUp(
  parts: PaymentParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<CaughtUp> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(runMs)]);
  await parts.provider.learnAccount();
  const read = await readWherePossible(parts, inTime);
  const { worked, failed } = await workListed(parts, inTime);
  const { objectsListedAt } = await cursorOf(parts);
  const age = parts.now().getTime() - (objectsListedAt?.getTime() ?? 0);
  const isDue = age >= (read === null ? hourMs : 24 * hourMs);
  const again = isDue && !inTime.aborted ? await lookAgain(parts, objectsListedAt) : 0;
  if (read?.isWhole) await flagSilentWebhook(parts);
  await closeOver(parts.db, { orderId: null, now: parts.now() });
  return { read: read !== null, news: read?.news ?? 0, worked, failed, again };
}

/** Null where the provider is away, or does not let these keys read events: what was read before is worked all the same. */
async function readWherePossible(parts: PaymentParts, signal: AbortSignal): Promise<EventsRead | null> {
  try {
    return await readEvents(parts, signal);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    parts.log.warn({ err: error }, "the provider's events could not be listed; the next run tries again");
    return null;
  }
}
