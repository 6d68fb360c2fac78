import { businessDays } from "../shared/business-days.ts";
import type { ShopSettings } from "./settings.ts";

/**
 * Facts about the shop that are not settings, and sentences about them, for pages, e-mails and structured data. Times are in
 * months or business days, [least, most]. Sentences about shipping options are in delivery-facts.ts, which needs the
 * names of countries.
 */
export const shelfLifeMonths = [12, 18] as const;
export const dispatchDays = [1, 2] as const;
export const botanicalName = "Elaeis oleifera";
export const inciName = `${botanicalName} kernel oil`;
/** Days after delivery in which buyers in the EU, the EEA and the UK may withdraw by law. */
export const withdrawalDays = 14;
/** Listed below education, which comes first. */
export const furtherCauses = ["Clean water", "Women’s empowerment", "Conservation"] as const;
export const excludedIngredients = "sulfates, parabens, silicones or synthetic fragrances";

/** "12-18 months" */
export const shelfLife = `${shelfLifeMonths.join("-")} months`;
/** "1-2 business days" */
export const dispatchTime = businessDays(dispatchDays);

export const dispatchSentence = `We ship your order within ${dispatchTime}.`;
export const shelfLifeSentence = `Shelf life is ${shelfLife}.`;
export const leftOutSentence = `It is made without ${excludedIngredients}.`;
/** Explains "proceeds" wherever a share of them is mentioned. */
export const proceedsSentence =
  "Proceeds are what customers pay for our products, after discounts and refunds, without shipping and tax.";

type Returns = ShopSettings["returns"];

/** "You can return your order within 30 days if the bottle is at least 75% full and in its original packaging." */
export function returnsSentence(returns: Returns): string {
  if (returns.days === 0) return noReturnsSentence;
  return `You can return your order within ${dayCount(returns.days)} if the bottle is ${returnCondition(returns)}.`;
}

/** "30-day returns"; null if returns are off. */
export function returnsNote({ days }: Returns): string | null {
  return days === 0 ? null : `${days}-day returns`;
}

/** The guarantee in the specified wording; null if returns are off. */
export function guaranteeSentence(returns: Returns): string | null {
  if (returns.days === 0) return null;
  return `We offer a ${returns.days}-day satisfaction guarantee: a full refund if the product is ${returnCondition(returns)}.`;
}

/** Sentence on who pays the postage of a return; null if it is not set, or returns are off. */
export function returnPostageSentence({
  returns,
  returnShipping,
}: Pick<ShopSettings, "returns" | "returnShipping">): string | null {
  if (returns.days === 0 || returnShipping === null) return null;
  return returnShipping === "shop"
    ? "We pay for return shipping."
    : "You pay for return shipping, unless what we sent was damaged or wrong.";
}

export const noReturnsSentence =
  "Beyond your legal rights, we don’t take back orders once they’re delivered.";

/** "at least 75% full and in its original packaging" */
function returnCondition({ minimumRemainingPercent: percent }: Returns): string {
  const full = percent === 0 ? "" : percent === 100 ? "unopened and " : `at least ${percent}% full and `;
  return `${full}in its original packaging`;
}

/** "20% of proceeds go to education in a village in Liberia."; null for 0. */
export function givingSentence(percent: number): string | null {
  return percent === 0 ? null : `${percent}% of proceeds go to education in a village in Liberia.`;
}

/** "30 days" */
export function dayCount(days: number): string {
  return `${days} ${days === 1 ? "day" : "days"}`;
}

const networks = [
  ["instagram", "Instagram"],
  ["facebook", "Facebook"],
  ["tiktok", "TikTok"],
  ["x", "X"],
] as const;

/** The shop's profiles on social networks that the owner has entered. */
export function socialProfiles(social: ShopSettings["social"]): { name: string; url: string }[] {
  return networks.flatMap(([key, name]) => {
    const url = social[key];
    return url ? [{ name, url }] : [];
  });
}
