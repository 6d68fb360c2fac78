import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { ApiBody, ApiInputArgs, ApiKeys } from "../../../shop-context.ts";
import { restoreFocus } from "../../../ui/browser/focus.ts";
import { type ToastMessage, toast } from "../../../ui/toast.tsx";
import { useForm } from "../../../ui/use-form.ts";
import {
  type ApiProblem,
  type ApiResult,
  type CallOptions,
  callApi,
  noResponse,
  readApiResult,
} from "../../api.ts";
import { confirmIdentity, withUnlock } from "../shell/session-dialogs.tsx";

export type ActionTexts<T> = {
  /** Toast after success, or a function that builds it from the response; none by default. */
  success?: ToastMessage | ((body: T) => ToastMessage);
  /** Title of the toast after a failure, by default "Error"; the server's message is its description. With null, no toast. */
  failure?: string | null;
  /** Whether to reload the page's data afterwards, by default true. */
  reloads?: boolean;
};

export type AdminAction<K extends ApiKeys> = {
  /** True from the click until the page shows the new state. */
  busy: boolean;
  /** The last failure; cleared by the next run. */
  problem: ApiProblem | null;
  /** The last failure, unless its messages are shown at fields. */
  generalProblem: ApiProblem | null;
  /** Error messages by field, for `validation_failed`. */
  fields: Record<string, string>;
  clearProblem(): void;
  /** Makes the call; never throws. If the session has expired, asks to unlock the panel and repeats the call. */
  run(...input: ApiInputArgs<K, ActionTexts<ApiBody<K>> & CallOptions>): Promise<ApiResult<ApiBody<K>>>;
  /** `run` for a request that is not JSON, such as an upload. */
  perform(
    call: () => Promise<ApiResult<ApiBody<K>>>,
    texts?: ActionTexts<ApiBody<K>>,
  ): Promise<ApiResult<ApiBody<K>>>;
};

/** Calls the API; if the server demands the passkey or access code again, asks for it and repeats the call. */
async function withConfirmation<T>(call: () => Promise<ApiResult<T>>): Promise<ApiResult<T>> {
  const response = await withUnlock(call);
  if (response.ok || response.problem.error !== "confirmation_required") return response;
  return (await confirmIdentity(response.problem.message)) ? withUnlock(call) : response;
}

/** Longest wait for the page's new data before a success is announced. */
const toastWaitMs = 2_000;

/** Makes an API call of the panel, by its key in the API's table; shows a toast and reloads the page's data. */
export function useAdminAction<K extends ApiKeys>(
  key: K,
  texts: ActionTexts<ApiBody<K>> = {},
): AdminAction<K> {
  const [runningCalls, setRunningCalls] = useState(0);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const { revalidate } = useRevalidator();
  const focusedElement = useRef<Element | null>(null);
  // A busy button is disabled and loses the focus, so it gets the focus back afterwards.
  useEffect(() => {
    const element = focusedElement.current;
    if (runningCalls > 0 || element === null) return;
    focusedElement.current = null;
    if (element.isConnected) restoreFocus(element);
    // A dialog that closed together with its button restores the focus itself, a moment later.
    else setTimeout(restoreFocus, 50, null);
  }, [runningCalls]);

  async function perform(
    call: () => Promise<ApiResult<ApiBody<K>>>,
    overrides: ActionTexts<ApiBody<K>> = {},
  ) {
    const { success, failure = "Error", reloads = true } = { ...texts, ...overrides };
    focusedElement.current ??= document.activeElement;
    setRunningCalls((count) => count + 1);
    setProblem(null);
    const response = await withConfirmation(call);
    if (response.ok) {
      const reload = reloads ? revalidate() : Promise.resolve();
      // A form counts as unsaved until the reload ends: leaving the page earlier would warn about unsaved changes. On a slow network
      // the toast does not wait for it, so that the owner does not save a second time.
      await Promise.race([reload, new Promise((done) => setTimeout(done, toastWaitMs))]);
      if (success) toast(typeof success === "function" ? success(response.body) : success);
      await reload;
    } else {
      setProblem(response.problem);
      if (failure !== null) toast({ title: failure, description: response.problem.message, tone: "danger" });
    }
    setRunningCalls((count) => count - 1);
    return response;
  }

  return {
    busy: runningCalls > 0,
    problem,
    generalProblem: problem && Object.keys(problem.fields).length === 0 ? problem : null,
    fields: problem?.fields ?? {},
    clearProblem: () => setProblem(null),
    perform,
    run: (...args) => perform(() => callApi(key, ...args), args[0]),
  };
}

/**
 * A form of the panel with the API call that saves it: values, error messages, busy state. The form shows the error
 * message itself, so a failure has no toast unless `failure` is set.
 */
export function useAdminForm<K extends ApiKeys, Values extends object>(
  key: K,
  initial: Values | (() => Values),
  { check, ...texts }: ActionTexts<ApiBody<K>> & { check?: (values: Values) => Record<string, string> } = {},
) {
  const action = useAdminAction(key, { failure: null, ...texts });
  return { ...action, ...useForm(initial, { problems: action.fields, ...(check && { check }) }) };
}

/** The part of the result of `useAdminForm` that `FormDialog` uses. */
export type DialogForm = Pick<AdminAction<ApiKeys>, "busy" | "problem" | "generalProblem" | "fields"> & {
  submit(): boolean;
};

/** Posts a form with files, for `perform`. `id`: replaces `:id` in the path. Never throws. */
export async function sendForm<K extends ApiKeys>(
  key: K,
  fields: Record<string, string | File>,
  timeoutMs: number,
  id = "",
): Promise<ApiResult<ApiBody<K>>> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  try {
    const path = key.replace("POST ", "").replace(":id", encodeURIComponent(id));
    const signal = AbortSignal.timeout(timeoutMs);
    return await readApiResult(key, await fetch(path, { method: "POST", body, signal }));
  } catch {
    return { ok: false, problem: noResponse };
  }
}
