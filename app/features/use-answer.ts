import { useEffect, useRef, useState } from "react";
import type { ApiAnswer, ApiProblem } from "./api.ts";

type Last<Body> = { key: string | null; body: Body | null; problem: ApiProblem | null };

/**
 * What the shop answers to a question: asked as soon as it has stood for `pauseMs`, and anew whenever it changes. An answer
 * that is overtaken is dropped. The last one stays until the next is there: `isCurrent` says whether it answers the question
 * as it is now. A failure keeps the last body beside its problem. Null asks nothing.
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
