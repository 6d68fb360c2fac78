import * as v from "valibot";
import { fitToForm } from "./address-parts.ts";
import { type AddressLookup, type CallService, LookupUnavailable, maxSuggestions } from "./lookup.ts";

const text = v.optional(v.nullable(v.string()), "");
/** Loqate reports errors with status 200, as an item. */
const refusal = v.object({ Error: v.union([v.string(), v.number()]) });
const suggestion = v.object({ Id: v.string(), Type: v.string(), Text: v.string(), Description: text });
const retrieved = v.object({
  Line1: text,
  Line2: text,
  Line3: text,
  City: text,
  ProvinceName: text,
  ProvinceCode: text,
  PostalCode: text,
  CountryIso2: v.string(),
});

const shortStates = ["US", "CA", "AU", "IT"];
/** Lower error codes are about the account or the key, others about the request. */
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
    const responseSchema = v.object({ Items: v.array(v.union([refusal, item])) });
    const response = await callService(path, { signal }, responseSchema);
    const items: v.InferOutput<S>[] = [];
    for (const each of response?.Items ?? []) {
      if (!v.is(refusal, each)) items.push(each);
      else if (Number(each.Error) >= firstInputError) return null;
      else throw new LookupUnavailable(`it answered with error ${String(each.Error).replace(/\D/g, "")}`);
    }
    return items;
  }

  const find = (query: Record<string, string>, signal: AbortSignal) =>
    call("Find/v1.1", { Limit: "10", Language: "en", IsMiddleware: "true", ...query }, suggestion, signal);

  return {
    attribution: null,
    async suggest({ text: typed, country }, { signal }) {
      const query = { Text: typed, Countries: country };
      const first = (await find(query, signal)) ?? [];
      const street = first[0];
      // A street or a postal code is a container of addresses.
      const isContainer = street && !first.some(({ Type }) => Type === "Address");
      const items = isContainer ? ((await find({ ...query, Container: street.Id }, signal)) ?? []) : first;
      return items
        .filter(({ Type }) => Type === "Address")
        .map(({ Id, Text, Description }) => ({
          id: Id,
          text: [Text, Description].filter(Boolean).join(", "),
        }))
        .slice(0, maxSuggestions);
    },
    async address(id, { signal }) {
      const [found] = (await call("Retrieve/v1.2", { Id: id }, retrieved, signal)) ?? [];
      if (!found) return null;
      const country = found.CountryIso2;
      return fitToForm({
        country,
        line1: found.Line1 ?? "",
        line2: [found.Line2, found.Line3].filter(Boolean).join(", "),
        city: found.City ?? "",
        state: (shortStates.includes(country) && found.ProvinceCode) || found.ProvinceName || "",
        postalCode: found.PostalCode ?? "",
      });
    },
  };
}
