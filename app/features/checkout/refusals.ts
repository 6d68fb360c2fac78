import type { ApiProblem } from "../api.ts";
import { type AddressField, addressFieldOf } from "./address/address-form.ts";

export type FieldProblems = Partial<Record<AddressField, string>>;

/** Why checkout does not go on. `closed`: the order that was to be paid has ended. */
export type NoticeCause =
  | { kind: "fields"; isIncomplete: boolean }
  | { kind: "price_changed" }
  | { kind: "lines" }
  | { kind: "closed" }
  | { kind: "discount"; problem: string }
  | { kind: "failed"; problem: ApiProblem };

/** What a refusal says of the form's fields, by the paths it names. */
export function fieldProblems(paths: Record<string, string>): FieldProblems {
  const problems: FieldProblems = {};
  for (const [path, sentence] of Object.entries(paths)) {
    const field = addressFieldOf(path);
    if (field) problems[field] = sentence;
  }
  return problems;
}
