import { useEffect, useRef, useState } from "react";
import type { ApiProblem, ApiResult } from "./api.ts";

type LastResult<Body> = { key: string | null; body: Body | null; problem: ApiProblem | null };

/**
 * Calls the API when `input` has changed and then stayed the same for `debounceMs`, and returns the last response.
 * Responses to earlier inputs are dropped. The last response stays until the next one arrives; `isCurrent` is false in
 * between. After a failure the last body stays, with the problem beside it. No call is made if `input` is null.
 */
export function useApiResult<Input, Body>(
  input: Input | null,
  call: (input: Input, signal: AbortSignal) => Promise<ApiResult<Body>>,
  debounceMs = 0,
) {
  const key = input === null ? null : JSON.stringify(input);
  const [lastResult, setLastResult] = useState<LastResult<Body>>({ key: null, body: null, problem: null });
  const controller = useRef<AbortController>(null);

  async function load(): Promise<void> {
    controller.current?.abort();
    if (input === null) return;
    controller.current = new AbortController();
    const { signal } = controller.current;
    const response = await call(input, signal);
    if (signal.aborted) return;
    if (response.ok) setLastResult({ key, body: response.body, problem: null });
    else setLastResult(({ body }) => ({ key, body, problem: response.problem }));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the input
  useEffect(() => {
    const timer = setTimeout(load, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.current?.abort();
    };
  }, [key]);
  return { ...lastResult, isCurrent: key !== null && lastResult.key === key, reload: load };
}
