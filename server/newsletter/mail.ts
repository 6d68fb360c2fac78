import { eq } from "drizzle-orm";
import * as v from "valibot";
import { unconfirmedDays } from "../../domain/privacy/retention.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { isOptedOut, unsubscribeUrl } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { subscribers } from "./tables.ts";
import { welcomeOffer } from "./welcome-offer.ts";

const subscriberData = v.object({ subscriberId: v.pipe(v.string(), v.transform(Number)) });

/** Asks the address to confirm the sign-up. */
export async function enqueueSignUpConfirmation(
  tx: Db,
  { subscriberId, email, askedAt }: { subscriberId: number; email: string; askedAt: Date },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "newsletter_confirm",
      dedupeKey: `newsletter_confirm:${subscriberId}:${askedAt.toISOString()}`,
      recipient: email,
      data: { subscriberId: String(subscriberId) },
    },
  ]);
}

export async function enqueueWelcome(
  tx: Db,
  { subscriberId, email }: { subscriberId: number; email: string },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "newsletter_welcome",
      dedupeKey: `newsletter_welcome:${subscriberId}`,
      recipient: email,
      data: { subscriberId: String(subscriberId) },
    },
  ]);
}

export const newsletterMail = {
  async newsletter_confirm(context, message) {
    const { db, now, publicUrl, secret } = context;
    const subscriber = await findSubscriber(db, message.data);
    if (!subscriber || subscriber.confirmedAt !== null) return "unneeded";
    const expiresAt = subscriber.askedAt.getTime() + unconfirmedDays * 24 * 60 * 60 * 1000;
    if (now().getTime() >= expiresAt) return "expired";
    const token = confirmToken(secret, subscriber.id, subscriber.askedAt);
    return {
      email: {
        kind: "newsletter_confirm",
        confirmUrl: `${publicUrl}/newsletter?confirm=${token}`,
        offer: (await welcomeOffer(context))?.sentence ?? null,
      },
      secret: token,
    };
  },
  async newsletter_welcome(context, message) {
    const { db, products, publicUrl } = context;
    const subscriber = await findSubscriber(db, message.data);
    if (!subscriber?.confirmedAt || (await isOptedOut(db, subscriber.email, "newsletter"))) return "unneeded";
    const [offer, hero] = await Promise.all([welcomeOffer(context), products.hero()]);
    const product = hero && { name: hero.name, image: hero.images[0]?.url ?? null };
    const unsubscribe = unsubscribeUrl(context, subscriber.email, "newsletter");
    return {
      email: { kind: "newsletter_welcome", offer, product, shopUrl: publicUrl, unsubscribeUrl: unsubscribe },
      recipient: subscriber.email,
      secret: null,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Mail;

async function findSubscriber(db: Db, data: unknown) {
  const { subscriberId } = v.parse(subscriberData, data);
  const [subscriber] = await db.select().from(subscribers).where(eq(subscribers.id, subscriberId));
  return subscriber ?? null;
}

const purpose = "newsletter";

/** The token of the e-mailed link that confirms a sign-up: `<id>.<signature>`. */
function confirmToken(secret: string, id: number, askedAt: Date): string {
  const expiresAt = new Date(askedAt.getTime() + unconfirmedDays * 24 * 60 * 60 * 1000);
  return `${id}.${signToken(secret, { purpose, subject: String(id), expiresAt })}`;
}

/** The id of the subscriber that a token confirms; null for an invalid or expired token. */
export function subscriberIdIn(secret: string, token: string, now: Date): number | null {
  const [, id = "", signature = ""] = /^([1-9]\d{0,14})\.(.+)$/.exec(token) ?? [];
  return isTokenValid(secret, signature, { purpose, subject: id, now }) ? Number(id) : null;
}
