import * as v from "valibot";
import { signUpSchema, welcomeOfferSchema } from "../../domain/newsletter/newsletter.ts";
import { accepted, dataOf, ok, route } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { confirmSignUp, signUp } from "./commands.ts";

const shared = { tag: "Newsletter", access: "anyone" } as const;

export const newsletterApi = [
  route("POST /api/newsletter", {
    ...shared,
    summary: "Sign up for the newsletter; an email asks the address to confirm it",
    limit: "signUp",
    body: signUpSchema,
    response: dataOf(v.object({ next: v.literal("confirm") })),
    answers: {
      202: "The same whether or not the address is subscribed already",
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
    summary: "Confirm, by the token of the emailed link, that its reader wants the newsletter",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(200, "Too long")) }),
    response: dataOf(v.object({ offer: v.nullable(welcomeOfferSchema) })),
    answers: {
      200: "`offer`: the welcome code, if the owner gives one; again is the same",
      404: "Not a link of ours, or too old",
    },
    handle: async (ctx, { body, address }) => {
      const confirmed = await confirmSignUp(ctx, { token: body.token, address });
      return confirmed
        ? ok(confirmed)
        : problem("not_found", "This link no longer works. You can sign up again at the foot of any page.");
    },
  }),
];
