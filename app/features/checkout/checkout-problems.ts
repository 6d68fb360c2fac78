import type { ApiProblem } from "../api.ts";
import { type AddressField, addressFieldOf } from "./address/address-form.ts";

export type FieldProblems = Partial<Record<AddressField, string>>;

/** Why checkout cannot continue. `closed`: the order to be paid has ended. */
export type NoticeCause =
  | { kind: "fields"; isIncomplete: boolean }
  | { kind: "price_changed" }
  | { kind: "lines" }
  | { kind: "closed" }
  | { kind: "discount"; problem: string }
  | { kind: "failed"; problem: ApiProblem };

/** The sentences of the server's answer (path -> sentence) for the form's fields. */
export function fieldProblems(paths: Record<string, string>): FieldProblems {
  const problems: FieldProblems = {};
  for (const [path, sentence] of Object.entries(paths)) {
    const field = addressFieldOf(path);
    if (field) problems[field] = sentence;
  }
  return problems;
}
