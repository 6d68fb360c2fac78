import * as v from "valibot";
import {
  type Subscriber,
  subscriberPageSchema,
  subscriberStates,
} from "../../domain/newsletter/newsletter.ts";
import { dataOf, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { unsubscribeUrl } from "../outbox/optouts.ts";
import { csvHeaders, csvLine, csvStart, csvTime } from "../platform/csv.ts";
import { idText } from "../platform/http/id-params.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { ownerTimeZone, today } from "../settings/today.ts";
import { removeSubscriber } from "./commands.ts";
import { countSubscribers, listSubscribers } from "./queries.ts";

const shared = { tag: "Newsletter", access: "admin", limit: "none" } as const;
const filterSchemas = {
  state: v.optional(v.picklist(subscriberStates, `One of ${subscriberStates.join(", ")}`)),
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(254, "At most 254 characters")), ""),
};

/** Subscribers for the panel, and as a file for the program that sends the newsletter. */
export const subscribersApi = [
  route("GET /api/admin/subscribers", {
    ...shared,
    roles: ["staff"],
    summary: "Subscribers, newest first, with what proves their consent",
    query: v.object({ ...filterSchemas, limit: pageLimit(50), cursor: v.optional(idText) }),
    response: subscriberPageSchema,
    answers: { 200: "A page of subscribers, `counts` by state, and `nextCursor`" },
    handle: async ({ db }, { query: { state = null, q, limit, cursor = null } }) => {
      const [page, counts] = await Promise.all([
        listSubscribers(db, { state, q, limit, cursor }),
        countSubscribers(db),
      ]);
      return { status: 200, body: { data: page.subscribers, counts, nextCursor: page.nextCursor } };
    },
  }),
  route("DELETE /api/admin/subscribers/:id", {
    ...shared,
    roles: ["staff"],
    summary: "Take an address off the list for good; it may sign up again",
    params: v.object({ id: idText }),
    response: dataOf(v.object({ id: v.number() })),
    answers: { 200: "Removed", 404: "Nobody on the list" },
    handle: async (ctx, { params: { id }, log }) => {
      if (!(await removeSubscriber(ctx, id))) return problem("not_found", "This address is not on the list.");
      // Without the address, because the activity log is kept longer.
      log({ subject: `subscriber:${id}`, summary: "Removed a newsletter subscriber" });
      return ok({ id });
    },
  }),
  route("GET /api/admin/subscribers.csv", {
    ...shared,
    summary: "The same as a file, with each one’s unsubscribe link",
    downloads: true,
    query: v.object(filterSchemas),
    file: ["text/csv"],
    answers: { 200: "CSV, UTF-8" },
    handle: async (ctx, { query: { state = null, q } }) => ({
      status: 200,
      stream: subscribersFile(ctx, await ownerTimeZone(ctx), (cursor) =>
        listSubscribers(ctx.db, { state, q, limit: batchSize, cursor }),
      ),
      headers: csvHeaders(`subscribers-${await today(ctx)}.csv`),
    }),
  }),
];

/** Subscribers per query. */
const batchSize = 500;

const head = [
  "Email",
  "State",
  "Signed up (zone)",
  "Where",
  "Agreed to",
  "Confirmed (zone)",
  "Confirmed from network",
  "Unsubscribed (zone)",
  "Welcome code",
  "Unsubscribe link",
];

/** Reads the next page when the client has taken the previous one. */
function subscribersFile(
  ctx: ShopContext,
  timeZone: string,
  read: (cursor: number | null) => ReturnType<typeof listSubscribers>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const { publicUrl } = ctx.config;
  const link = { publicUrl, secret: ctx.secret, now: ctx.now };
  let cursor: number | null = null;
  let begin = csvStart + csvLine(head.map((title) => title.replace("(zone)", `(${timeZone})`)));
  const time = (iso: string | null) => csvTime(iso === null ? null : new Date(iso), timeZone);
  const lineOf = (one: Subscriber) =>
    csvLine([
      one.email,
      one.state,
      time(one.askedAt),
      one.place,
      one.consentText,
      time(one.confirmedAt),
      one.confirmedNetwork,
      time(one.unsubscribedAt),
      one.welcomeCode,
      new URL(unsubscribeUrl(link, one.email, "newsletter")),
    ]);
  return new ReadableStream<Uint8Array>(
    {
      async pull(file) {
        const page = await read(cursor);
        file.enqueue(encoder.encode(begin + page.subscribers.map(lineOf).join("")));
        begin = "";
        if (page.nextCursor === null) file.close();
        else cursor = Number(page.nextCursor);
      },
    },
    { highWaterMark: 0 },
  );
}
