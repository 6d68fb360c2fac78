import { useEffect, useRef, useState } from "react";
import type { ApiAnswer, ApiProblem } from "./api.ts";

type Last<Body> = { key: string | null; body: Body | null; problem: ApiProblem | null };

/**
 * Calls the API with `question` whenever it has not changed for `pauseMs`, and returns the last answer. Answers to earlier
 * questions are dropped. The last answer stays until the next one arrives; `isCurrent` is false in between. After a failure
 * the last body stays, with the problem beside it. A null question makes no call.
 */
export function useAnswer<Question, Body>(
  question: Question | null,
  ask: (question: Question, signal: AbortSignal) => Promise<ApiAnswer<Body>>,
  pauseMs = 0,
) {
  const key = question === null ? null : JSON.stringify(question);
  const [last, setLast] = useState<Last<Body>>({ key: null, body: null, problem: null });
  const latest = useRef<AbortController>(null);

  async function load(): Promise<void> {
    latest.current?.abort();
    if (question === null) return;
    latest.current = new AbortController();
    const { signal } = latest.current;
    const answer = await ask(question, signal);
    if (signal.aborted) return;
    if (answer.ok) setLast({ key, body: answer.body, problem: null });
    else setLast(({ body }) => ({ key, body, problem: answer.problem }));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the question
  useEffect(() => {
    const timer = setTimeout(load, pauseMs);
    return () => {
      clearTimeout(timer);
      latest.current?.abort();
    };
  }, [key]);
  return { ...last, isCurrent: key !== null && last.key === key, reload: load };
}
