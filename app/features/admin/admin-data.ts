import { data, type LoaderFunctionArgs } from "react-router";
import { apiContext } from "../../shop-context.ts";
import { type ApiProblem, readAnswer } from "../api.ts";

/** Thrown where the panel is locked; never leaves this file. */
class Locked extends Error {}

/** Reads one call of the API (`/api/...`) as whoever asks for the page. */
export type AdminReader = <T>(path: string) => Promise<T>;

/**
 * A tab's loader. All that the panel shows comes through the API's own gate, so that no page can forget to ask for the
 * session. While the panel is locked it answers null, and the frame (routes/admin.tsx) shows the lock in the tab's place:
 * a tab is never drawn without its data. What does not exist is a 404; everything else that fails is the tab's
 * `ErrorBoundary`'s.
 */
export function adminLoader<Args extends LoaderFunctionArgs, T>(
  load: (args: Args, read: AdminReader) => Promise<T>,
): (args: Args) => Promise<T> {
  return async (args) => {
    try {
      return await load(args, (path) => readThroughGate(args, path));
    } catch (error) {
      if (error instanceof Locked) return null as T;
      throw error;
    }
  };
}

async function readThroughGate<T>({ context }: LoaderFunctionArgs, path: string): Promise<T> {
  const answer = await readAnswer<T>(await context.get(apiContext)({ method: "GET", path }));
  if (answer.ok) return answer.body;
  if (answer.problem.status === 401) throw new Locked();
  throw data({ message: answer.problem.message } satisfies Pick<ApiProblem, "message">, {
    status: answer.problem.status,
  });
}
