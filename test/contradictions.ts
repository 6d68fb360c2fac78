import { answeredMessageYears, proofLinkHours, viewHours } from "../domain/privacy/retention.ts";
import { dispatchDays, shelfLifeMonths, withdrawalDays } from "../domain/settings/facts.ts";
import type { ShopSettings } from "../domain/settings/settings.ts";

/** Duration of a patch test: the only duration in the shop's texts that does not come from settings or code. */
const patchTestHours = 24;
/** "100% natural" */
const wholePercent = 100;

/**
 * Times, shares and amounts in a text that contradict the shop's settings. `more`: further amounts and days that the text may
 * contain.
 */
export function contradictions(
  text: string,
  settings: ShopSettings,
  more: { cents?: readonly number[]; days?: readonly number[] } = {},
): string[] {
  const options = settings.shipping.zones.flatMap((zone) => zone.options);
  const rangeText = ([least, most]: readonly [number, number]) =>
    least === most ? `${least}` : `${least}-${most}`;
  const amounts = [
    ...(more.cents ?? []),
    ...options.flatMap(({ price, freeFrom }) => [price, ...(freeFrom === null ? [] : [freeFrom])]),
  ];
  const days = [settings.returns.days, withdrawalDays, ...(more.days ?? [])];
  const rules: [pattern: RegExp, allowed: readonly (string | number)[]][] = [
    [
      /(\d+(?:[-–]\d+)?)[ -]business[ -]days?/gi,
      [rangeText(dispatchDays), ...options.map((option) => rangeText(option.days))],
    ],
    [/(\d+(?:[-–]\d+)?)[ -]days?\b/gi, days],
    [/(\d+(?:[-–]\d+)?)[ -]months?\b/gi, [rangeText(shelfLifeMonths)]],
    [/(\d+(?:[-–]\d+)?)[ -]hours?\b/gi, [patchTestHours, proofLinkHours, viewHours]],
    [/(\d+(?:[-–]\d+)?)[ -]years?\b/gi, [answeredMessageYears]],
    [/(\d+(?:\.\d+)?) ?%/g, [settings.givingPercent, settings.returns.minimumRemainingPercent, wholePercent]],
    [/\$(\d[\d,]*(?:\.\d+)?)/g, amounts.flatMap((amount) => [(amount / 100).toFixed(2), amount / 100])],
    // Numbers in words are refused, because they would not change with the fact.
    [/\b((?:one|two|three) (?:fifth|third|quarter|half)s?|half of (?:the )?proceeds)\b/gi, []],
    [/\b((?:seven|ten|fourteen|thirty|sixty|ninety)(?:[ -]\w+)? days)\b/gi, []],
  ];
  const wrong = rules.flatMap(([pattern, allowed]) => {
    const permitted = new Set(allowed.map(String));
    return [...text.matchAll(pattern)].flatMap(([whole, value = ""]) =>
      permitted.has(value) ? [] : [whole],
    );
  });
  const isEverFree = options.some(({ price, freeFrom }) => price === 0 || freeFrom !== null);
  return [
    ...wrong,
    ...(isEverFree ? [] : [...text.matchAll(/free (standard )?shipping/gi)].map(([words]) => words)),
    ...(settings.givingPercent > 0
      ? []
      : [...text.matchAll(/(% )?of (the )?proceeds|donated so far|pays for more|in Liberia/gi)].map(
          ([words]) => words,
        )),
  ];
}

/** All words of a page: its text, head, alternative texts and structured data. */
export function visibleText(html: string): string {
  const page = html.replaceAll(/<!--.*?-->/gs, "");
  const attributes = [...page.matchAll(/ (?:content|alt|aria-label|title)="([^"]*)"/g)].map(
    ([, value = ""]) => value,
  );
  const structuredTexts = [
    ...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
  ].flatMap(([, json = ""]) =>
    [...json.matchAll(/"(?:text|description|name)":"([^"]*)"/g)].map(([, value = ""]) => value),
  );
  const body = page.replaceAll(/<(script|style)\b.*?<\/\1>/gs, " ").replaceAll(/<[^>]*>/g, " ");
  return [body, ...attributes, ...structuredTexts]
    .join("\n")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}
