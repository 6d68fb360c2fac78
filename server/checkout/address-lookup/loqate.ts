import * as v from "valibot";
import { fitToForm } from "./address-parts.ts";
import { type AddressLookup, type CallService, LookupUnavailable, maxSuggestions } from "./lookup.ts";

const text = v.optional(v.nullable(v.string()), "");
/** Loqate reports errors with status 200, as an item. */
const errorItem = v.object({ Error: v.union([v.string(), v.number()]) });
const suggestion = v.object({ Id: v.string(), Type: v.string(), Text: v.string(), Description: text });
const addressDetails = v.object({
  Line1: text,
  Line2: text,
  Line3: text,
  City: text,
  ProvinceName: text,
  ProvinceCode: text,
  PostalCode: text,
  CountryIso2: v.string(),
});

const countriesWithStateCodes = ["US", "CA", "AU", "IT"];
/** Lower error codes are about the account or the key, all others about the request. */
const firstInputError = 1000;

/** Capture: https://docs.loqate.com/api-reference/address-capture/find */
export function loqate(key: string, callService: CallService): AddressLookup {
  async function call<const S extends v.GenericSchema>(
    method: string,
    query: Record<string, string>,
    item: S,
    signal: AbortSignal,
  ): Promise<v.InferOutput<S>[] | null> {
    const path = `/Capture/Interactive/${method}/json3.ws?${new URLSearchParams({ Key: key, ...query })}`;
    const responseSchema = v.object({ Items: v.array(v.union([errorItem, item])) });
    const response = await callService(path, { signal }, responseSchema);
    const items: v.InferOutput<S>[] = [];
    for (const entry of response?.Items ?? []) {
      if (!v.is(errorItem, entry)) items.push(entry);
      else if (Number(entry.Error) >= firstInputError) return null;
      else throw new LookupUnavailable(`it responded with error ${String(entry.Error).replace(/\D/g, "")}`);
    }
    return items;
  }

  const find = (query: Record<string, string>, signal: AbortSignal) =>
    call("Find/v1.1", { Limit: "10", Language: "en", IsMiddleware: "true", ...query }, suggestion, signal);

  return {
    attribution: null,
    async suggest({ text: enteredText, country }, { signal }) {
      const query = { Text: enteredText, Countries: country };
      const firstItems = (await find(query, signal)) ?? [];
      const street = firstItems[0];
      // A street or a postal code is a container of addresses.
      const isContainer = street && !firstItems.some(({ Type }) => Type === "Address");
      const items = isContainer
        ? ((await find({ ...query, Container: street.Id }, signal)) ?? [])
        : firstItems;
      return items
        .filter(({ Type }) => Type === "Address")
        .map(({ Id, Text, Description }) => ({
          id: Id,
          text: [Text, Description].filter(Boolean).join(", "),
        }))
        .slice(0, maxSuggestions);
    },
    async address(id, { signal }) {
      const [details] = (await call("Retrieve/v1.2", { Id: id }, addressDetails, signal)) ?? [];
      if (!details) return null;
      const country = details.CountryIso2;
      return fitToForm({
        country,
        line1: details.Line1 ?? "",
        line2: [details.Line2, details.Line3].filter(Boolean).join(", "),
        city: details.City ?? "",
        state:
          (countriesWithStateCodes.includes(country) && details.ProvinceCode) || details.ProvinceName || "",
        postalCode: details.PostalCode ?? "",
      });
    },
  };
}
