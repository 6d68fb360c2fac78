import { useEffect, useRef, useState } from "react";
import type { ApiProblem, ApiResult } from "./api.ts";

type LastResult<Body> = { key: string | null; body: Body | null; problem: ApiProblem | null };

/**
 * Calls the API with `input` whenever it has not changed for `debounceMs`, and returns the last answer. Answers to earlier
 * inputs are dropped. The last response stays until the next one arrives; `isCurrent` is false in between. After a failure
 * the last body stays, with the problem beside it. If `input` is null, no call is made.
 */
export function useApiResult<Input, Body>(
  input: Input | null,
  call: (input: Input, signal: AbortSignal) => Promise<ApiResult<Body>>,
  debounceMs = 0,
) {
  const key = input === null ? null : JSON.stringify(input);
  const [last, setLast] = useState<LastResult<Body>>({ key: null, body: null, problem: null });
  const latest = useRef<AbortController>(null);

  async function load(): Promise<void> {
    latest.current?.abort();
    if (input === null) return;
    latest.current = new AbortController();
    const { signal } = latest.current;
    const response = await call(input, signal);
    if (signal.aborted) return;
    if (response.ok) setLast({ key, body: response.body, problem: null });
    else setLast(({ body }) => ({ key, body, problem: response.problem }));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the input
  useEffect(() => {
    const timer = setTimeout(load, debounceMs);
    return () => {
      clearTimeout(timer);
      latest.current?.abort();
    };
  }, [key]);
  return { ...last, isCurrent: key !== null && last.key === key, reload: load };
}
