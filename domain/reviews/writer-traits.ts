import * as v from "valibot";

/** Hair and skin of writers, by which reviews are filtered. Keys are stored and part of URLs. */
export const hairTypes = { straight: "Straight", wavy: "Wavy", curly: "Curly", coily: "Coily" } as const;
export const skinTypes = {
  dry: "Dry",
  oily: "Oily",
  combination: "Combination",
  sensitive: "Sensitive",
  normal: "Normal",
} as const;
export type HairType = keyof typeof hairTypes;
export type SkinType = keyof typeof skinTypes;

const typedKeys = <T extends object>(types: T) => Object.keys(types) as (keyof T)[];
export const hairKeys = typedKeys(hairTypes);
export const skinKeys = typedKeys(skinTypes);
export const hairSchema = v.picklist(hairKeys, `One of ${hairKeys.join(", ")}`);
export const skinSchema = v.picklist(skinKeys, `One of ${skinKeys.join(", ")}`);
