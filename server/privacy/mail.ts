import * as v from "valibot";
import type { KeptOrder } from "../../domain/privacy/erasure.ts";
import type { Composer, Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";

const linkData = v.object({ token: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) });
const deletedData = v.object({
  kept: v.pipe(v.string(), v.parseJson(), v.array(v.object({ number: v.number(), because: v.string() }))),
});

/** E-mails a person the state of the deletion of their data; `kept`: data that is still needed. */
export async function enqueueDeletion(
  tx: Db,
  { requestId, email, kept }: { requestId: number; email: string; kept: readonly KeptOrder[] },
): Promise<void> {
  const dedupeKey = `data_deleted:${requestId}:${kept.length > 0 ? "begun" : "finished"}`;
  await enqueueMessages(tx, [
    { kind: "data_deleted", dedupeKey, recipient: email, data: { kept: JSON.stringify(kept) } },
  ]);
}

export const privacyMail = {
  data_export: withDataLink("data_export"),
  data_deletion: withDataLink("data_deletion"),
  async data_deleted({ toShopper }, { recipient, data }) {
    const { kept } = v.parse(deletedData, data);
    return { email: { kind: "data_deleted", kept }, sender: toShopper, recipient, secret: null };
  },
} satisfies Mail;

function withDataLink(kind: "data_export" | "data_deletion"): Composer {
  return async ({ now, publicUrl, toShopper }, message) => {
    const { token, expiresAt } = v.parse(linkData, message.data);
    if (now() >= new Date(expiresAt)) return "expired";
    return {
      email: { kind, dataUrl: `${publicUrl}/account/data?token=${token}` },
      sender: toShopper,
      recipient: message.recipient,
      secret: token,
    };
  };
}
