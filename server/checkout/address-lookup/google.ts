import * as v from "valibot";
import { type FoundAddress, fitToForm } from "./address-parts.ts";
import { type AddressLookup, type CallService, maxSuggestions } from "./lookup.ts";

const suggestionsSchema = v.object({
  suggestions: v.optional(
    v.array(
      v.object({
        placePrediction: v.optional(v.object({ placeId: v.string(), text: v.object({ text: v.string() }) })),
      }),
    ),
    [],
  ),
});
const componentSchema = v.object({
  longText: v.string(),
  shortText: v.optional(v.string()),
  types: v.array(v.string()),
});
const placeSchema = v.object({ addressComponents: v.optional(v.array(componentSchema), []) });

/** Places API (New): https://developers.google.com/maps/documentation/places/web-service/place-autocomplete */
export function googlePlaces(key: string, callService: CallService): AddressLookup {
  const headers = { "X-Goog-Api-Key": key };
  return {
    attribution: "Powered by Google",
    async suggest({ text, country }, { session, signal }) {
      const body = {
        input: text,
        includedRegionCodes: [country.toLowerCase()],
        languageCode: "en",
        sessionToken: session,
      };
      const response = await callService(
        "/v1/places:autocomplete",
        {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: JSON.stringify(body),
          signal,
        },
        suggestionsSchema,
      );
      return (response?.suggestions ?? [])
        .flatMap(({ placePrediction: place }) =>
          place ? [{ id: place.placeId, text: place.text.text }] : [],
        )
        .slice(0, maxSuggestions);
    },
    async address(id, { session, signal }) {
      const query = new URLSearchParams({ languageCode: "en", sessionToken: session });
      const response = await callService(
        `/v1/places/${encodeURIComponent(id)}?${query}`,
        { headers: { ...headers, "X-Goog-FieldMask": "addressComponents" }, signal },
        placeSchema,
      );
      return response && addressFromComponents(response.addressComponents);
    },
  };
}

type Component = v.InferOutput<typeof componentSchema>;

/** Countries that write the house number before the street; all others write it after. */
const countriesWithNumberFirst = new Set(
  "US CA GB IE AU NZ FR LU MC IN ZA MY SG HK PH TH PK LK NG KE GH EG IL SA AE PR GU VI".split(" "),
);
/** Countries whose states are not Google's first administrative level. */
const stateLevel: Record<string, 2 | undefined> = { ES: 2, IT: 2 };
const countriesWithStateCodes = new Set(["US", "CA", "AU", "IT"]);

/** Converts Google's components to an address in its country's form; null without a country or street. */
export function addressFromComponents(components: readonly Component[]): FoundAddress | null {
  const find = (type: string) => components.find(({ types }) => types.includes(type));
  const text = (...types: string[]) => types.map((type) => find(type)?.longText).find(Boolean) ?? "";
  const country = find("country")?.shortText ?? "";
  const state = find(`administrative_area_level_${stateLevel[country] ?? 1}`);
  return fitToForm({
    country,
    line1: country === "JP" ? japaneseStreet(text) : street(country, text),
    line2: text("subpremise"),
    // Postal addresses name the post town, not the village.
    city: text(
      "postal_town",
      "locality",
      "sublocality_level_1",
      "administrative_area_level_3",
      "administrative_area_level_2",
    ),
    state: (countriesWithStateCodes.has(country) ? state?.shortText : state?.longText) ?? "",
    postalCode: text("postal_code"),
  });
}

type Text = (...types: string[]) => string;

function street(country: string, text: Text): string {
  const [number, route, premise] = [text("street_number"), text("route"), text("premise")];
  const numberAndRoute = countriesWithNumberFirst.has(country) ? [number, route] : [route, number];
  const streetLine = numberAndRoute.filter(Boolean).join(" ");
  // A house may have a name instead of, or in addition to, a number.
  return [premise === number ? "" : premise, streetLine].filter(Boolean).join(", ");
}

/** "1-9-1 Marunouchi": block and building before the quarter. */
function japaneseStreet(text: Text): string {
  const blocks = ["sublocality_level_3", "sublocality_level_4", "premise", "street_number"].map((type) =>
    text(type),
  );
  const numbers = blocks.map((block) => block.replace(/-?ch[oō]me$/i, "")).filter(Boolean);
  return [numbers.join("-"), text("sublocality_level_2")].filter(Boolean).join(" ");
}
