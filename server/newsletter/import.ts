import { eq } from "drizzle-orm";
import type { OptoutReason } from "../../domain/newsletter/newsletter.ts";
import { campaignRecipients } from "../campaigns/tables.ts";
import { findOptoutReason, hashEmail } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { subscribers } from "./tables.ts";

/**
 * A consent that was recorded elsewhere. `proof`: the text agreed to, or how the consent was recorded; `network`: as returned by
 * `truncatedNetwork`.
 */
export type Consent = { email: string; agreedAt: Date; proof: string; network: string | null };

const optoutSentences: Record<OptoutReason, string> = {
  unsubscribed: "It has unsubscribed here.",
  bounced: "A newsletter to it bounced here.",
  complained: "It reported a newsletter as spam here.",
  erased: "Its person had all data deleted here.",
};

/**
 * Adds a confirmed subscriber without any e-mail to the address. An address that must not be written to is refused; one that
 * has signed up here keeps its own record.
 */
export async function importSubscriber(
  tx: Db,
  { email, agreedAt, proof, network }: Consent,
): Promise<{ state: "new"; id: number } | { state: "same" } | { state: "refused"; reason: string }> {
  const optoutReason = await findOptoutReason(tx, email, "newsletter");
  if (optoutReason !== null) return { state: "refused", reason: optoutSentences[optoutReason] };
  const emailHash = hashEmail(email);
  const [newSubscriber] = await tx
    .insert(subscribers)
    .values({
      email,
      emailHash,
      askedAt: agreedAt,
      place: "import",
      consentText: proof,
      confirmedAt: agreedAt,
      confirmedNetwork: network,
    })
    .onConflictDoNothing()
    .returning({ id: subscribers.id });
  if (newSubscriber) return { state: "new", id: newSubscriber.id };
  const [existingSubscriber] = await tx
    .select({ confirmedAt: subscribers.confirmedAt })
    .from(subscribers)
    .where(eq(subscribers.emailHash, emailHash));
  if (existingSubscriber?.confirmedAt) return { state: "same" };
  return { state: "refused", reason: "It has signed up here, and not confirmed it yet." };
}

/** Removes an imported subscriber; if that is not allowed, returns the reason. */
export async function removeImportedSubscriber(tx: Db, id: number): Promise<string | null> {
  const [subscriber] = await tx.select().from(subscribers).where(eq(subscribers.id, id)).for("update");
  if (!subscriber) return "It was deleted since.";
  const { email, emailHash, place } = subscriber;
  if (place !== "import") return "It has signed up here since.";
  if ((await findOptoutReason(tx, email, "newsletter")) !== null) return "It has unsubscribed since.";
  // A recipient of a newsletter may ask for the proof of consent.
  if ((await tx.$count(campaignRecipients, eq(campaignRecipients.emailHash, emailHash))) > 0)
    return "A newsletter was sent to it since.";
  await tx.delete(subscribers).where(eq(subscribers.id, id));
  return null;
}
