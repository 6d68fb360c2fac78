import * as v from "valibot";
import { dataOf, ok, route } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { unsubscribe } from "./optouts.ts";
import { optionalKinds } from "./tables.ts";

export const unsubscribeApi = [
  route("POST /api/unsubscribe", {
    tag: "Contact, notifications, admin",
    summary: "End a kind of email for the address that an unsubscribe link was sent to",
    access: "anyone",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(300, "Too long")) }),
    response: dataOf(v.object({ kind: v.picklist(optionalKinds) })),
    answers: { 200: "`{kind}` of email that has ended; again is the same", 404: "Not one of our links" },
    handle: async ({ db, secret, now }, { body }) => {
      const kind = await unsubscribe(db, { secret, token: body.token, now: now() });
      return kind === null
        ? problem("not_found", "This link is not complete. Please use the one in the email.")
        : ok({ kind });
    },
  }),
];
