import * as v from "valibot";
import { countryName } from "../../../domain/shared/country.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { dateIn } from "../../../domain/shared/zoned-days.ts";
import { type ApiCall, dataEnvelope, ok, okOrNotFound, route } from "../../api-row.ts";
import { readCart } from "../../cart/commands.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { findBuyerOrder } from "../../order-desk/viewer-orders.ts";
import { type Problem, problem, rateLimited } from "../../platform/http/problem.ts";
import { foundAddressSchema } from "./address-parts.ts";
import { type AddressLookup, LookupUnavailable } from "./lookup.ts";

/** The browser's id for the lookups of one address. */
const sessionSchema = v.pipe(
  v.string("Missing"),
  v.regex(/^[\w-]{8,36}$/, "8 to 36 letters, digits, - and _"),
);
const countrySchema = v.pipe(
  v.string("Choose a country"),
  v.toUpperCase(),
  v.check((code) => countryName(code) !== null, "Unknown country"),
);
const textSchema = v.pipe(
  v.string("Missing"),
  v.trim(),
  v.minLength(3, "At least 3 characters"),
  v.maxLength(200, "At most 200 characters"),
);

/** The order whose address is edited, with the `token` of its e-mailed link if needed; the visitor's cart by default. */
const orderQuery = {
  order: v.optional(uuidSchema),
  token: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200))), null),
};

type OrderQuery = v.InferOutput<v.ObjectSchema<typeof orderQuery, undefined>>;

const shared = {
  tag: "Checkout and orders",
  access: "anyone",
  limit: "address",
  ownPagesOnly: true,
} as const;
const errorResponses = {
  403: "The visitor has no cart or order that needs an address, or the call comes from another site",
  429: "Too many calls of this visitor or network, or of the whole shop today; `Retry-After` says when to retry",
  502: "The address service does not answer",
  503: "No address service is set up, or the database is unavailable",
};

/** Address suggestions while a street is typed. Addresses are neither stored nor logged; the service's key stays secret. */
export const addressLookupApi = [
  route("GET /api/address/suggestions", {
    ...shared,
    summary: "Addresses that begin with the entered text",
    query: v.object({ q: textSchema, country: countrySchema, session: sessionSchema, ...orderQuery }),
    response: dataEnvelope(
      v.object({
        suggestions: v.array(v.object({ id: v.string(), text: v.string() })),
        attribution: v.nullable(v.string()),
      }),
    ),
    responses: { 200: "At most five suggestions, and the attribution to show below them", ...errorResponses },
    handle: (ctx, call) =>
      withLookup(ctx, call, async (lookup) => {
        const { q: text, country, session } = call.query;
        const suggestions = await lookup.suggest({ text, country }, { session, signal: call.signal() });
        return ok({ suggestions, attribution: lookup.attribution });
      }),
  }),

  route("GET /api/address/suggestions/:id", {
    ...shared,
    summary: "The fields of a suggested address",
    params: v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(500)) }),
    query: v.object({ session: sessionSchema, ...orderQuery }),
    response: dataEnvelope(foundAddressSchema),
    responses: { 200: "The address", 404: "Unknown id", ...errorResponses },
    handle: (ctx, call) =>
      withLookup(ctx, call, async (lookup) => {
        const { session } = call.query;
        return okOrNotFound(
          "address",
          await lookup.address(call.params.id, { session, signal: call.signal() }),
        );
      }),
  }),
];

/**
 * Lookups cost the owner money, so they need a cart or an order that needs an address, and are limited per caller and hour,
 * and per day for the whole shop.
 */
async function withLookup<T>(
  ctx: ShopContext,
  call: Pick<ApiCall<unknown, OrderQuery>, "viewer" | "signal" | "query">,
  request: (lookup: AddressLookup) => Promise<T>,
): Promise<T | Problem> {
  const { addressLookup } = ctx;
  const { addressQuestionsPerDay: maxPerDay } = await ctx.ownerSettings();
  if (!addressLookup || maxPerDay === 0) {
    return problem("not_configured", "Addresses are not suggested in this shop.");
  }
  const caller = await identifyCaller(ctx, call);
  if (caller === null) return problem("forbidden", "Addresses are suggested at checkout.");
  const waitS = await ctx.limits.take("addressCaller", caller);
  if (waitS !== null) return tooManyLookups(waitS);
  if (!(await isWithinDay(ctx, maxPerDay))) return tooManyLookups(60 * 60);
  try {
    return await request(addressLookup);
  } catch (error) {
    if (!(error instanceof LookupUnavailable)) throw error;
    if (call.signal().aborted) return problem("aborted", "The caller is gone.");
    ctx.log.warn({ reason: error.message }, "addresses cannot be suggested");
    return problem("provider_unavailable", "Addresses cannot be suggested right now. Please type yours.");
  }
}

function tooManyLookups(waitS: number): Problem {
  return rateLimited("Please type your address.", waitS);
}

/**
 * The id by which lookups are counted: the visitor's, or the id of the order whose address the buyer can change. Null if the
 * caller has neither a cart nor such an order.
 */
async function identifyCaller(
  ctx: ShopContext,
  { viewer, query: { order, token } }: Pick<ApiCall<unknown, OrderQuery>, "viewer" | "query">,
): Promise<string | null> {
  if (order !== undefined) {
    const buyerOrder = await findBuyerOrder(ctx, viewer, order, token);
    return buyerOrder?.actions.changeAddress ? order : null;
  }
  const { visitorId } = viewer;
  return visitorId !== null && (await readCart(ctx.db, visitorId)).length > 0 ? visitorId : null;
}

/** Counts a lookup of this day in the owner's time zone. The first lookup above the limit raises an issue for the owner. */
async function isWithinDay(ctx: ShopContext, maxPerDay: number): Promise<boolean> {
  const { timeZone } = await ctx.ownerSettings();
  const day = dateIn(timeZone, ctx.now());
  if ((await ctx.limits.countForDay("address", day)) <= maxPerDay) return true;
  await ctx.db.transaction((tx) =>
    raiseIssue(tx, {
      kind: "address_questions_used_up",
      subject: day,
      message: `All ${maxPerDay} questions of ${day} to the service that suggests addresses are used up. Checkout goes on without suggestions until tomorrow. The limit is in the settings, under Shipping`,
      path: "/settings/shipping#suggestions",
    }),
  );
  return false;
}
