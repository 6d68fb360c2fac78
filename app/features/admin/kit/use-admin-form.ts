import type { ApiBody, ApiKeys } from "../../../shop-context.ts";
import { useForm } from "../../../ui/use-form.ts";
import { type ActionTexts, type AdminAction, useAdminAction } from "./use-admin-action.ts";

/**
 * A form of the panel with the API call that saves it: values, error sentences, busy state. The form shows the reason of a
 * refusal itself, so there is no toast for it unless `failure` is given.
 */
export function useAdminForm<K extends ApiKeys, Values extends object>(
  key: K,
  initial: Values | (() => Values),
  { check, ...texts }: ActionTexts<ApiBody<K>> & { check?: (values: Values) => Record<string, string> } = {},
) {
  const action = useAdminAction(key, { failure: null, ...texts });
  return { ...action, ...useForm(initial, { problems: action.fields, ...(check && { check }) }) };
}

/** The part of a form that its dialog uses. */
export type SentForm = Pick<AdminAction<ApiKeys>, "busy" | "problem" | "generalProblem" | "fields"> & {
  submit(): boolean;
};
