import * as v from "valibot";
import { countryName } from "../../../domain/shared/country.ts";
import type { ShopContext } from "../../context.ts";
import { type ApiCall, dataOf, ok, route } from "../../http/api-row.ts";
import { type Problem, problem } from "../../platform/http/problem.ts";
import { foundAddressSchema } from "./address-parts.ts";
import { type AddressLookup, LookupUnavailable } from "./lookup.ts";

/** One address being typed, as the browser names it. */
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

const shared = { tag: "Checkout and orders", access: "anyone", limit: "address" } as const;
const troubles = {
  502: "The service that knows addresses gives no answer",
  503: "No such service is set up, or the database is away",
};

/** Suggestions while a street is typed. Nothing of it is stored or logged; the service's key stays here. */
export const addressLookupApi = [
  route("GET /api/address/suggestions", {
    ...shared,
    summary: "Addresses that begin as was typed",
    query: v.object({ q: textSchema, country: countrySchema, session: sessionSchema }),
    response: dataOf(
      v.object({
        suggestions: v.array(v.object({ id: v.string(), text: v.string() })),
        attribution: v.nullable(v.string()),
      }),
    ),
    answers: { 200: "At most five, and what to write below them", ...troubles },
    handle: (ctx, call) =>
      withLookup(ctx, call, async (lookup) => {
        const { q: text, country, session } = call.query;
        const suggestions = await lookup.suggest({ text, country }, { session, signal: call.signal() });
        return ok({ suggestions, attribution: lookup.attribution });
      }),
  }),

  route("GET /api/address/suggestions/:id", {
    ...shared,
    summary: "The parts of a suggested address",
    params: v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(500)) }),
    query: v.object({ session: sessionSchema }),
    response: dataOf(foundAddressSchema),
    answers: { 200: "The address", 404: "No address is known by this id", ...troubles },
    handle: (ctx, call) =>
      withLookup(ctx, call, async (lookup) => {
        const { session } = call.query;
        const address = await lookup.address(call.params.id, { session, signal: call.signal() });
        return address ? ok(address) : problem("not_found", "There is no such address.");
      }),
  }),
];

/** Each question costs the owner money: whoever has a visitor's cookie is also counted by it. */
async function withLookup<T>(
  ctx: ShopContext,
  { viewer: { visitorId }, signal }: Pick<ApiCall, "viewer" | "signal">,
  ask: (lookup: AddressLookup) => Promise<T>,
): Promise<T | Problem> {
  if (!ctx.addressLookup) return problem("not_configured", "Addresses are not suggested in this shop.");
  const waitS = visitorId && (await ctx.limits.take("addressSeeker", visitorId));
  if (waitS) {
    const headers = { "Retry-After": String(waitS) };
    return problem("rate_limited", "Please type your address.", { headers });
  }
  try {
    return await ask(ctx.addressLookup);
  } catch (error) {
    if (!(error instanceof LookupUnavailable)) throw error;
    if (signal().aborted) return problem("aborted", "The caller is gone.");
    ctx.log.warn({ reason: error.message }, "addresses cannot be suggested");
    return problem("provider_unavailable", "Addresses cannot be suggested right now. Please type yours.");
  }
}
