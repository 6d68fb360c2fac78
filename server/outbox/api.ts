import * as v from "valibot";
import type { OwnerSettings } from "../../domain/settings/settings.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { problem } from "../platform/problem.ts";
import { unsubscribe } from "./optouts.ts";
import { outboxApi } from "./outbox-api.ts";
import { type SmsApiParts, smsApi } from "./sms-api.ts";

export type NotificationsApiParts = SmsApiParts & {
  /** Signs unsubscribe links. */
  secret: string;
  ownerSettings(): Promise<OwnerSettings>;
};

export function notificationsApi(parts: NotificationsApiParts): AnyApiRow[] {
  return [
    ...smsApi(parts),
    ...outboxApi(parts),
    route("POST /api/unsubscribe", {
      tag: "Contact, notifications, admin",
      summary: "End a kind of e-mail for the address that an unsubscribe link was sent to",
      access: "anyone",
      limit: "write",
      body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(300, "Too long")) }),
      answers: { 200: "`{kind}` of e-mail that has ended; again is the same", 404: "Not one of our links" },
      handle: async (_ctx, { body }) => {
        const kind = await unsubscribe(parts.db, {
          secret: parts.secret,
          token: body.token,
          now: parts.now(),
        });
        return kind === null
          ? problem("not_found", "This link is not complete. Please use the one in the email.")
          : ok({ kind });
      },
    }),
  ];
}
