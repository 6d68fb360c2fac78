import type { ShopContext } from "../../context.ts";
import { ProviderRefused, ProviderUnavailable } from "../../payment-providers/provider.ts";
import { closeAllSettledIssues } from "../close-issues.ts";
import { handleListed } from "./listed.ts";
import { cursorOf, type EventsRead, readEvents } from "./read.ts";
import { raiseSilentWebhook } from "./silent-webhook.ts";
import { syncListed } from "./sync-listed.ts";

const hourMs = 60 * 60 * 1000;
/** Longest run, and of it the longest reading (ms): other work of the lane is to have its turn. The next run goes on. */
const runMs = 45_000;
const readingMs = 20_000;

/** `read`: false where the provider did not list its events. `isCutShort`: the next run is to begin at once. */
export type CatchUpResult = {
  read: boolean;
  news: number;
  worked: number;
  failed: number;
  again: number;
  isCutShort: boolean;
};

/**
 * Job: learns what webhooks did not bring. The provider's list of events is read on from where it was left, what is new is
 * worked as if the webhook had brought it. Once a day, and every hour where events cannot be read, refunds and disputes are
 * looked through as well, which the provider lists for longer. Then the owner is told where the webhook is silent.
 * `everySeconds`: how often it runs.
 */
export async function catchUpEvents(
  ctx: ShopContext,
  {
    signal = new AbortController().signal,
    everySeconds = 300,
  }: { signal?: AbortSignal; everySeconds?: number } = {},
): Promise<CatchUpResult> {
  const isOver = AbortSignal.timeout(runMs);
  await ctx.provider.learnAccount();
  const read = await readWherePossible(
    ctx,
    AbortSignal.any([signal, AbortSignal.timeout(readingMs)]),
    everySeconds,
  );
  const { worked, failed } = await handleListed(ctx, AbortSignal.any([signal, isOver]));
  const { objectsListedAt } = await cursorOf(ctx);
  const age = ctx.now().getTime() - (objectsListedAt?.getTime() ?? 0);
  const isDue = age >= (read === null ? hourMs : 24 * hourMs);
  const again = isDue ? await syncListed(ctx, objectsListedAt, signal) : 0;
  if (read?.isWhole) await raiseSilentWebhook(ctx);
  await closeAllSettledIssues(ctx.db, ctx.now());
  const isCutShort = !signal.aborted && (isOver.aborted || read?.isWhole === false);
  return { read: read !== null, news: read?.news ?? 0, worked, failed, again, isCutShort };
}

/** Null where the provider is away, or does not let these keys read events: what was read before is worked all the same. */
async function readWherePossible(
  ctx: ShopContext,
  signal: AbortSignal,
  everySeconds: number,
): Promise<EventsRead | null> {
  try {
    return await readEvents(ctx, { signal, everySeconds });
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error }, "the provider's events could not be listed; the next run tries again");
    return null;
  }
}
