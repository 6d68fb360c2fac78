import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { consentText } from "../../domain/newsletter/consent-text.ts";
import type { SignUp, WelcomeOffer } from "../../domain/newsletter/newsletter.ts";
import { unconfirmedDays, unsubscribedDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { hashOf, isOptedOut, optBackIn } from "../outbox/optouts.ts";
import { mayMailStranger } from "../outbox/sent-often.ts";
import { emailOptouts } from "../outbox/tables.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { networkOf, siteOf } from "../platform/http/client-address.ts";
import { subscriberIdIn } from "./confirm-link.ts";
import { enqueueSignUpConfirmation, enqueueWelcome } from "./mail.ts";
import { subscribers } from "./tables.ts";
import { welcomeOffer } from "./welcome-offer.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A form sent twice is one sign-up. */
const repeatMs = 60_000;

/**
 * Writes a sign-up down and asks the address to confirm it. Whoever is subscribed already hears nothing: it looks the same to
 * whoever typed the address.
 */
export async function signUp(ctx: ShopContext, { email, place }: SignUp): Promise<void> {
  const now = ctx.now();
  const { brandName } = await ctx.settings();
  const emailHash = hashOf(email);
  await ctx.db.transaction(async (tx) => {
    // Of two sign-ups at once the second waits here, and then sees the first.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`newsletter:${email.toLowerCase()}`}, 0))`,
    );
    const [known] = await tx.select().from(subscribers).where(eq(subscribers.emailHash, emailHash));
    if (known?.confirmedAt && !(await isOptedOut(tx, email, "newsletter"))) return;
    if (known?.confirmedAt === null && now.getTime() - known.askedAt.getTime() < repeatMs) return;
    const asked = { email, askedAt: now, place, consentText: consentText(brandName) };
    const [written] = await tx
      .insert(subscribers)
      .values({ emailHash, ...asked })
      .onConflictDoUpdate({
        target: subscribers.emailHash,
        set: { ...asked, confirmedAt: null, confirmedNetwork: null },
      })
      .returning({ id: subscribers.id });
    if (!written) throw new Error("a subscriber was written without its id");
    if (!(await mayMailStranger(tx, { kind: "newsletter_confirm", email, now }))) return;
    await enqueueSignUpConfirmation(tx, { subscriberId: written.id, email, askedAt: now });
  });
}

/**
 * Confirms a sign-up by its e-mailed link, and sends the welcome; again is the same. Null for an invalid link, or one whose
 * sign-up is gone.
 */
export async function confirmSignUp(
  ctx: ShopContext,
  { token, address }: { token: string; address: string },
): Promise<{ offer: WelcomeOffer | null } | null> {
  const now = ctx.now();
  const id = subscriberIdIn(ctx.secret, token, now);
  if (id === null) return null;
  const offer = await welcomeOffer(ctx);
  return ctx.db.transaction(async (tx) => {
    const [subscriber] = await tx.select().from(subscribers).where(eq(subscribers.id, id)).for("update");
    if (!subscriber) return null;
    if (subscriber.confirmedAt !== null) return { offer };
    const confirmed = {
      confirmedAt: now,
      confirmedNetwork: wideNetwork(address),
      welcomeCode: offer?.code ?? null,
    };
    await tx.update(subscribers).set(confirmed).where(eq(subscribers.id, id));
    await optBackIn(tx, subscriber.emailHash, "newsletter");
    // One welcome for an address: whoever comes and goes collects none.
    await enqueueWelcome(tx, { subscriberId: id, email: subscriber.email });
    return { offer };
  });
}

/** Enough to show that it was somebody somewhere, and too little to tell who: an IPv4 /24, an IPv6 /48. */
export function wideNetwork(address: string): string {
  const network = networkOf(address);
  return (
    siteOf(address) ??
    (/^\d+\.\d+\.\d+\.\d+$/.test(network) ? `${network.split(".").slice(0, 3).join(".")}.0/24` : "")
  );
}

/** Takes an address off the list for good, with what proved its consent. Answers whether it was there. */
export async function removeSubscriber({ db }: ShopContext, id: number): Promise<boolean> {
  const gone = await db.delete(subscribers).where(eq(subscribers.id, id)).returning({ id: subscribers.id });
  return gone.length > 0;
}

/** Deletes sign-ups that were never confirmed, and subscribers who unsubscribed a year ago. */
export async function purgeSubscribers({ db, now: clock }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  await deleteInBatches(
    db,
    subscribers,
    and(isNull(subscribers.confirmedAt), lt(subscribers.askedAt, before(unconfirmedDays))),
  );
  const left = db
    .select({ emailHash: emailOptouts.emailHash })
    .from(emailOptouts)
    .where(and(eq(emailOptouts.kind, "newsletter"), lt(emailOptouts.at, before(unsubscribedDays))));
  await deleteInBatches(db, subscribers, inArray(subscribers.emailHash, left));
}
