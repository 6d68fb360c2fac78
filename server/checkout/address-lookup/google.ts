import * as v from "valibot";
import { addressOfComponents, componentSchema } from "./google-components.ts";
import { type AddressLookup, type AskService, suggestionsMax } from "./lookup.ts";

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
const placeSchema = v.object({ addressComponents: v.optional(v.array(componentSchema), []) });

/** Places API (New): https://developers.google.com/maps/documentation/places/web-service/place-autocomplete */
export function googlePlaces(key: string, ask: AskService): AddressLookup {
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
      const answer = await ask(
        "/v1/places:autocomplete",
        {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: JSON.stringify(body),
          signal,
        },
        suggestionsSchema,
      );
      return (answer?.suggestions ?? [])
        .flatMap(({ placePrediction: place }) =>
          place ? [{ id: place.placeId, text: place.text.text }] : [],
        )
        .slice(0, suggestionsMax);
    },
    async address(id, { session, signal }) {
      const query = new URLSearchParams({ languageCode: "en", sessionToken: session });
      const answer = await ask(
        `/v1/places/${encodeURIComponent(id)}?${query}`,
        { headers: { ...headers, "X-Goog-FieldMask": "addressComponents" }, signal },
        placeSchema,
      );
      return answer && addressOfComponents(answer.addressComponents);
    },
  };
}
