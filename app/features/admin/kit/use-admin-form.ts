import type { ApiBody, ApiKeys } from "../../../shop-context.ts";
import { useForm } from "../../../ui/use-form.ts";
import { type ActionTexts, type AdminAction, useAdminAction } from "./use-admin-action.ts";

/**
 * A form of the panel and the call that saves it: what is typed, what is wrong with it, whether it is on its way. What a
 * call was refused for stands in the form, so no toast says it again unless `failure` names one.
 */
export function useAdminForm<K extends ApiKeys, Values extends object>(
  key: K,
  initial: Values | (() => Values),
  { check, ...texts }: ActionTexts<ApiBody<K>> & { check?: (values: Values) => Record<string, string> } = {},
) {
  const action = useAdminAction(key, { failure: null, ...texts });
  return { ...action, ...useForm(initial, { problems: action.fields, ...(check && { check }) }) };
}

/** Of a form, what its dialog has to know. */
export type SentForm = Pick<AdminAction<ApiKeys>, "busy" | "problem" | "fields"> & {
  submit(): boolean;
};
