import * as v from "valibot";
import { type FoundAddress, fitted } from "./address-parts.ts";

export const componentSchema = v.object({
  longText: v.string(),
  shortText: v.optional(v.string()),
  types: v.array(v.string()),
});
type Component = v.InferOutput<typeof componentSchema>;

/** Where the number stands before the street; everywhere else it stands behind. */
const numberFirst = new Set(
  "US CA GB IE AU NZ FR LU MC IN ZA MY SG HK PH TH PK LK NG KE GH EG IL SA AE PR GU VI".split(" "),
);
/** What people write as their state is not Google's first level everywhere. */
const stateLevel: Record<string, 2 | undefined> = { ES: 2, IT: 2 };
const shortStates = new Set(["US", "CA", "AU", "IT"]);

/** The parts of a place's address as its country writes them; null without a country or street. */
export function addressOfComponents(components: readonly Component[]): FoundAddress | null {
  const find = (type: string) => components.find(({ types }) => types.includes(type));
  const text = (...types: string[]) => types.map((type) => find(type)?.longText).find(Boolean) ?? "";
  const country = find("country")?.shortText ?? "";
  const state = find(`administrative_area_level_${stateLevel[country] ?? 1}`);
  return fitted({
    country,
    line1: country === "JP" ? japaneseStreet(text) : street(country, text),
    line2: text("subpremise"),
    // A village's post town goes on the parcel, not the village.
    city: text(
      "postal_town",
      "locality",
      "sublocality_level_1",
      "administrative_area_level_3",
      "administrative_area_level_2",
    ),
    state: (shortStates.has(country) ? state?.shortText : state?.longText) ?? "",
    postalCode: text("postal_code"),
  });
}

type Text = (...types: string[]) => string;

function street(country: string, text: Text): string {
  const [number, route, premise] = [text("street_number"), text("route"), text("premise")];
  const numbered = numberFirst.has(country) ? [number, route] : [route, number];
  const written = numbered.filter(Boolean).join(" ");
  // A house may have a name instead of a number, or besides.
  return [premise === number ? "" : premise, written].filter(Boolean).join(", ");
}

/** "1-9-1 Marunouchi": block and building, then the quarter. */
function japaneseStreet(text: Text): string {
  const blocks = ["sublocality_level_3", "sublocality_level_4", "premise", "street_number"].map((type) =>
    text(type),
  );
  const numbers = blocks.map((block) => block.replace(/-?ch[oō]me$/i, "")).filter(Boolean);
  return [numbers.join("-"), text("sublocality_level_2")].filter(Boolean).join(" ");
}
