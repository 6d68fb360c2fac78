import * as v from "valibot";

/**
 * Where a buyer came from, in lower case: the host that linked here and the UTM parameters of the link; a null field is
 * unknown.
 */
export const sourceSchema = v.object({
  referrer: v.nullable(v.string()),
  utmSource: v.nullable(v.string()),
  utmMedium: v.nullable(v.string()),
  utmCampaign: v.nullable(v.string()),
});
export type Source = v.InferOutput<typeof sourceSchema>;

const maxHostLength = 253;
const hostPattern = /^[a-z\d.-]{1,253}$/;
const maxParameterLength = 100;

/** A text sent by the browser, cut to `max` characters; null if it is no text, because no checkout may fail by its source. */
const lenientText = (max: number) =>
  v.fallback(
    v.optional(
      v.nullable(
        v.pipe(
          v.string(),
          v.transform((text) => tidy(text, max)),
        ),
      ),
      null,
    ),
    null,
  );

/** The field `source` of a checkout request. Null if it is empty or invalid. */
export const sourceRequestSchema = v.fallback(
  v.pipe(
    v.nullable(
      v.object({
        referrer: v.pipe(
          lenientText(maxHostLength + 1),
          v.transform((host) => (host !== null && hostPattern.test(host) ? withoutWww(host) : null)),
        ),
        utmSource: lenientText(maxParameterLength),
        utmMedium: lenientText(maxParameterLength),
        utmCampaign: lenientText(maxParameterLength),
      }),
    ),
    v.transform((source) => source && unlessEmpty(source)),
  ),
  null,
);

/** The source without its referrer if that is the shop itself. */
export function withoutHost(source: Source | null, host: string): Source | null {
  return source && unlessEmpty(source.referrer === withoutWww(host) ? { ...source, referrer: null } : source);
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}

/** "instagram.com (source story, campaign spring)" */
export function sourceText({ referrer, utmSource, utmMedium, utmCampaign }: Source): string {
  const name = referrer ?? utmSource;
  const utmParts = [
    ["source", referrer && utmSource],
    ["medium", utmMedium],
    ["campaign", utmCampaign],
  ]
    .flatMap(([name, words]) => (words ? [`${name} ${words}`] : []))
    .join(", ");
  if (!name) return utmParts;
  return utmParts === "" ? name : `${name} (${utmParts})`;
}

function unlessEmpty(source: Source): Source | null {
  return Object.values(source).some((text) => text !== null) ? source : null;
}

/** One line in lower case, without invisible characters and halves of characters. */
function tidy(text: string, max: number): string | null {
  const visible = text.slice(0, 4 * max).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "");
  return (
    visible
      .trim()
      .toLowerCase()
      .slice(0, max)
      .replaceAll(/\p{Cs}/gu, "")
      .trim() || null
  );
}
