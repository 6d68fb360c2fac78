import { and, eq, isNotNull, lte } from "drizzle-orm";
import * as v from "valibot";
import {
  signUpSchema,
  subscriberPageSchema,
  subscriberStates,
  welcomeOfferSchema,
} from "../../domain/newsletter/newsletter.ts";
import { pick } from "../../domain/shared/pick.ts";
import { accepted, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { hashEmail, optOut, unsubscribeUrl } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import { csvBatchSize, csvHeaders, csvStream, csvTime } from "../platform/csv.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { problem } from "../platform/http/problem.ts";
import { ownerTimeZone, today } from "../settings/today.ts";
import { confirmSignUp, purgeSubscribers, removeSubscriber, signUp } from "./commands.ts";
import { newsletterMail } from "./mail.ts";
import { countSubscribers, listSubscribers } from "./queries.ts";
import { subscribers } from "./tables.ts";

const shared = { tag: "Newsletter", access: "anyone" } as const;
const forAdmin = { tag: "Newsletter", access: "admin" } as const;
const filterSchemas = {
  state: v.optional(v.picklist(subscriberStates, `One of ${subscriberStates.join(", ")}`)),
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(254, "At most 254 characters")), ""),
};

const newsletterApi = [
  route("POST /api/newsletter", {
    ...shared,
    summary: "Sign up for the newsletter; an email asks the address to confirm it",
    limit: "signUp",
    body: signUpSchema,
    response: dataEnvelope(v.object({ next: v.literal("confirm") })),
    responses: {
      202: "The response is the same even if the address is already subscribed",
      404: "The shop offers no newsletter",
    },
    handle: async (ctx, { body }) => {
      if (!(await ctx.settings()).newsletter) return problem("not_found", "There is no newsletter.");
      await signUp(ctx, body);
      return accepted({ next: "confirm" as const });
    },
  }),
  route("POST /api/newsletter/confirm", {
    ...shared,
    summary: "Confirm a subscription by the token of the e-mailed link",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
    response: dataEnvelope(v.object({ offer: v.nullable(welcomeOfferSchema) })),
    responses: {
      200: "`offer`: the welcome code, if the owner gives one; confirming again returns the same",
      404: "The link is not of this shop, or has expired",
    },
    handle: async (ctx, { body, address }) => {
      const confirmation = await confirmSignUp(ctx, { token: body.token, address });
      return confirmation
        ? ok(confirmation)
        : problem("not_found", "This link no longer works. You can sign up again in the shop.");
    },
  }),
  route("GET /api/admin/subscribers", {
    ...forAdmin,
    roles: ["staff"],
    summary: "Subscribers, newest first, with the proof of their consent",
    query: v.object({ ...filterSchemas, limit: pageLimit(50), cursor: v.optional(numericId) }),
    response: subscriberPageSchema,
    responses: { 200: "A page of subscribers, `counts` by state, and `nextCursor`" },
    handle: async ({ db }, { query: { state = null, q, limit, cursor = null } }) => {
      const [page, counts] = await Promise.all([
        listSubscribers(db, { state, q, limit, cursor }),
        countSubscribers(db),
      ]);
      return { status: 200, body: { data: page.subscribers, counts, nextCursor: page.nextCursor } };
    },
  }),
  route("DELETE /api/admin/subscribers/:id", {
    ...forAdmin,
    roles: ["staff"],
    summary: "Remove a subscriber permanently; the address may sign up again",
    params: idParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Removed", 404: "There is no such subscriber" },
    handle: async (ctx, { params: { id }, log }) => {
      if (!(await removeSubscriber(ctx, id))) return problem("not_found", "This address is not on the list.");
      // The log entry lacks the address, because the activity log is kept longer.
      log({ subject: `subscriber:${id}`, summary: "Removed a newsletter subscriber" });
      return ok({ id });
    },
  }),
  route("GET /api/admin/subscribers.csv", {
    ...forAdmin,
    summary: "Subscribers as CSV, with each subscriber’s unsubscribe link",
    downloads: true,
    query: v.object(filterSchemas),
    file: ["text/csv"],
    responses: { 200: "CSV, UTF-8" },
    handle: async (ctx, { query: { state = null, q } }) => ({
      status: 200,
      stream: subscribersFile(ctx, await ownerTimeZone(ctx), (cursor) =>
        listSubscribers(ctx.db, { state, q, limit: csvBatchSize, cursor }),
      ),
      headers: csvHeaders(`subscribers-${await today(ctx)}.csv`),
    }),
  }),
];

/** Titles of the columns; `(zone)` is replaced with the shop's time zone. */
const csvColumns = [
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

/** Each page is read after the client has received the previous one. */
function subscribersFile(
  ctx: ShopContext,
  timeZone: string,
  read: (cursor: number | null) => ReturnType<typeof listSubscribers>,
): ReadableStream<Uint8Array> {
  const { publicUrl } = ctx.config;
  const link = { publicUrl, secret: ctx.secret, now: ctx.now };
  const time = (iso: string | null) => csvTime(iso === null ? null : new Date(iso), timeZone);
  return csvStream(
    csvColumns.map((title) => title.replace("(zone)", `(${timeZone})`)),
    async (cursor) => {
      const { subscribers, nextCursor } = await read(cursor === null ? null : Number(cursor));
      return { rows: subscribers, nextCursor };
    },
    (subscriber) => [
      subscriber.email,
      subscriber.state,
      time(subscriber.askedAt),
      subscriber.place,
      subscriber.consentText,
      time(subscriber.confirmedAt),
      subscriber.confirmedNetwork,
      time(subscriber.unsubscribedAt),
      subscriber.welcomeCode,
      new URL(unsubscribeUrl(link, subscriber.email, "newsletter")),
    ],
  );
}

/** Sign-ups for the newsletter, with the record of consent. `campaigns` sends it. */
export const newsletterFeature = {
  api: newsletterApi,
  mail: newsletterMail,
  purges: [purgeSubscribers],
  personalData: {
    knownAddress: subscribedAddress,
    lists: { newsletter: exportSubscriptions },
    erase: eraseSubscription,
  },
} satisfies Feature;

const isFor = (email: string) => eq(subscribers.emailHash, hashEmail(email));

/** The address as typed at its sign-up; null if it has not signed up. */
async function subscribedAddress(db: Db, email: string): Promise<string | null> {
  const [subscriber] = await db.select({ email: subscribers.email }).from(subscribers).where(isFor(email));
  return subscriber?.email ?? null;
}

async function exportSubscriptions(db: Db, { email }: Person) {
  return db
    .select({
      ...pick(
        subscribers,
        "email",
        "askedAt",
        "place",
        "consentText",
        "confirmedAt",
        "confirmedNetwork",
        "welcomeCode",
      ),
    })
    .from(subscribers)
    .where(isFor(email));
}

/** Deletes an address's sign-up made up to a time; no import can then subscribe the address again. */
async function eraseSubscription(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(subscribers).where(and(isFor(email), lte(subscribers.askedAt, until)));
  const isConfirmedSince = and(isFor(email), isNotNull(subscribers.confirmedAt));
  if ((await tx.$count(subscribers, isConfirmedSince)) === 0) await optOut(tx, email, "newsletter", "erased");
}
