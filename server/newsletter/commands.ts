import { and, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { consentText } from "../../domain/newsletter/consent-text.ts";
import type { SignUp, WelcomeOffer } from "../../domain/newsletter/newsletter.ts";
import { unconfirmedDays, unsubscribedDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { mayMailStranger } from "../outbox/mail-caps.ts";
import { hashEmail, isOptedOut, optBackIn, optOut } from "../outbox/optouts.ts";
import { emailOptouts } from "../outbox/tables.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { networkPrefix, sitePrefix } from "../platform/http/client-address.ts";
import { enqueueSignUpConfirmation, enqueueWelcome, subscriberIdIn } from "./mail.ts";
import { subscribers } from "./tables.ts";
import { welcomeOffer } from "./welcome-offer.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A sign-up repeated within this time is ignored. */
const repeatIgnoredMs = 60_000;

/**
 * Stores a sign-up and asks the address to confirm it. A confirmed subscriber gets no e-mail; the caller cannot tell the
 * difference.
 */
export async function signUp(ctx: ShopContext, { email, place }: SignUp): Promise<void> {
  const now = ctx.now();
  const { brandName } = await ctx.settings();
  const emailHash = hashEmail(email);
  await ctx.db.transaction(async (tx) => {
    // Of two concurrent sign-ups the second waits here and then finds the first.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`newsletter:${email.toLowerCase()}`}, 0))`,
    );
    // Locked, so that a confirmation in progress is not undone below.
    const [existingSubscriber] = await tx
      .select()
      .from(subscribers)
      .where(eq(subscribers.emailHash, emailHash))
      .for("update");
    if (existingSubscriber?.confirmedAt && !(await isOptedOut(tx, email, "newsletter"))) {
      // The undo of the import must not remove a person who has signed up here.
      if (existingSubscriber.place === "import")
        await tx.update(subscribers).set({ place }).where(eq(subscribers.id, existingSubscriber.id));
      return;
    }
    if (
      existingSubscriber?.confirmedAt === null &&
      now.getTime() - existingSubscriber.askedAt.getTime() < repeatIgnoredMs
    )
      return;
    const values = { email, askedAt: now, place, consentText: consentText(brandName) };
    const [subscriber] = await tx
      .insert(subscribers)
      .values({ emailHash, ...values })
      .onConflictDoUpdate({
        target: subscribers.emailHash,
        set: { ...values, confirmedAt: null, confirmedNetwork: null },
      })
      .returning({ id: subscribers.id });
    if (!subscriber) throw new Error("a subscriber was written without its id");
    if (!(await mayMailStranger(tx, { kind: "newsletter_confirm", email, now }))) return;
    await enqueueSignUpConfirmation(tx, { subscriberId: subscriber.id, email, askedAt: now });
  });
}

/**
 * Confirms a sign-up by its e-mailed link and sends the welcome, once. Null if the link is invalid, or its sign-up was
 * deleted.
 */
export async function confirmSignUp(
  ctx: ShopContext,
  { token, address: clientAddress }: { token: string; address: string },
): Promise<{ offer: WelcomeOffer | null } | null> {
  const now = ctx.now();
  const id = subscriberIdIn(ctx.secret, token, now);
  if (id === null) return null;
  const offer = await welcomeOffer(ctx);
  return ctx.db.transaction(async (tx) => {
    const [subscriber] = await tx.select().from(subscribers).where(eq(subscribers.id, id)).for("update");
    if (!subscriber) return null;
    if (subscriber.confirmedAt !== null) return { offer };
    const confirmation = {
      confirmedAt: now,
      confirmedNetwork: truncatedNetwork(clientAddress),
      welcomeCode: offer?.code ?? null,
    };
    await tx.update(subscribers).set(confirmation).where(eq(subscribers.id, id));
    await optBackIn(tx, subscriber.emailHash, "newsletter");
    // The welcome is sent once per address, so that signing up again earns no second one.
    await enqueueWelcome(tx, { subscriberId: id, email: subscriber.email });
    return { offer };
  });
}

/** An IPv4 /24 or IPv6 /48: shows that the consent is real without identifying a person. */
export function truncatedNetwork(address: string): string {
  const network = networkPrefix(address);
  return (
    sitePrefix(address) ??
    (/^\d+\.\d+\.\d+\.\d+$/.test(network) ? `${network.split(".").slice(0, 3).join(".")}.0/24` : "")
  );
}

/** Deletes a subscriber with the record of consent, and keeps imports from adding the address again. False if there is none. */
export async function removeSubscriber({ db }: ShopContext, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [subscriber] = await tx
      .delete(subscribers)
      .where(eq(subscribers.id, id))
      .returning({ email: subscribers.email });
    if (!subscriber) return false;
    await optOut(tx, subscriber.email, "newsletter");
    return true;
  });
}

/** Deletes sign-ups that were never confirmed, and subscribers who unsubscribed a year ago. */
export async function purgeSubscribers({ db, now: clock }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  await deleteInBatches(
    db,
    subscribers,
    and(isNull(subscribers.confirmedAt), lt(subscribers.askedAt, before(unconfirmedDays))),
  );
  const optOuts = db
    .select({ emailHash: emailOptouts.emailHash })
    .from(emailOptouts)
    .where(and(eq(emailOptouts.kind, "newsletter"), lt(emailOptouts.at, before(unsubscribedDays))));
  // A person who unsubscribed long ago may have signed up again without confirming yet.
  await deleteInBatches(
    db,
    subscribers,
    and(isNotNull(subscribers.confirmedAt), inArray(subscribers.emailHash, optOuts)),
  );
}
