import { discountSentence, discountState } from "../../domain/discounts/discount-terms.ts";
import type { WelcomeOffer } from "../../domain/newsletter/newsletter.ts";
import type { ShopContext } from "../context.ts";
import { lookUpDiscount } from "../discounts/queries.ts";

/** The welcome discount, if the owner has set a code that can be used now. */
export async function welcomeOffer(ctx: ShopContext): Promise<WelcomeOffer | null> {
  const { welcomeCode: code } = await ctx.ownerSettings();
  if (code === null) return null;
  const { terms, used, now, timeZone } = await lookUpDiscount(ctx, { code, visitorId: null });
  if (terms === null || discountState({ ...terms, used }, now) !== "running") return null;
  return { code: terms.code, sentence: discountSentence(terms, timeZone) };
}
