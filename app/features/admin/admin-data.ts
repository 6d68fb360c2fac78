import { data, type LoaderFunctionArgs, redirect } from "react-router";
import { roleNames } from "../../../domain/people/roles.ts";
import {
  type ApiBody,
  type ApiFormInput,
  type ApiKeys,
  apiContext,
  viewerContext,
} from "../../shop-context.ts";
import type { ApiProblem } from "../api.ts";
import { mayOpen } from "./page-roles.ts";

/** Thrown when the API requires a sign-in; caught in this file. */
class PanelLockedError extends Error {}

/** Makes a GET call to the API within the process, with the viewer's rights. */
type AdminReader = <K extends ApiKeys>(key: K, input?: ApiFormInput<K>) => Promise<ApiBody<K>>;

/**
 * Wraps a tab's loader for the roles that may open the page (page-roles.ts). The panel reads everything through the
 * API, which checks the session. While the panel is locked, the loader returns null and the frame (routes/admin.tsx)
 * shows the lock instead of the tab. A missing record is a 404; other errors go to the tab's `ErrorBoundary`.
 */
export function adminLoader<Args extends LoaderFunctionArgs, T>(
  load: (args: Args, read: AdminReader) => Promise<T>,
): (args: Args) => Promise<T> {
  return frameLoader(async (args, read) => {
    const { admin } = args.context.get(viewerContext);
    const pattern = `/${args.pattern.replace(/^\//, "")}`;
    if (admin && !mayOpen(admin.role, pattern)) {
      // The sign-in leads to `/admin`; roles that may not open it start with the orders to ship.
      if (pattern === "/admin") throw redirect("/admin/orders?status=to_ship");
      const message = `The role ${roleNames[admin.role].toLowerCase()} may not open this page. Please ask the owner.`;
      throw data({ message } satisfies Pick<ApiProblem, "message">, { status: 403 });
    }
    return load(args, read);
  });
}

/** `adminLoader` for every signed-in role, on any page. */
export function frameLoader<Args extends LoaderFunctionArgs, T>(
  load: (args: Args, read: AdminReader) => Promise<T>,
): (args: Args) => Promise<T> {
  return async (args) => {
    try {
      const loaderData = await load(args, createReader(args));
      // Visitors who are not signed in get no data, even if the loader made no API call.
      return args.context.get(viewerContext).admin ? loaderData : (null as T);
    } catch (error) {
      // A 404 would reveal to visitors who are not signed in which records exist.
      const isHidden = isNotFound(error) && !args.context.get(viewerContext).admin;
      if (error instanceof PanelLockedError || isHidden) return null as T;
      throw error;
    }
  };
}

/** Whether a loader has thrown a 404. */
function isNotFound(error: unknown): boolean {
  if (!(error instanceof Object && "init" in error && error.init instanceof Object)) return false;
  return "status" in error.init && error.init.status === 404;
}

function createReader({ context }: LoaderFunctionArgs): AdminReader {
  return async (key, input) => {
    const response = await context.get(apiContext).call(key, input);
    if (response.ok) return response.body;
    if (response.problem.status === 401) throw new PanelLockedError();
    throw data({ message: response.problem.message } satisfies Pick<ApiProblem, "message">, {
      status: response.problem.status,
    });
  };
}

/** A parameter of the page's URL that is a UUID; undefined if it is missing or invalid. */
export function uuidParam({ url }: Request, name: string): string | undefined {
  const value = new URL(url).searchParams.get(name);
  return value !== null && /^[0-9a-f-]{36}$/i.test(value) ? value : undefined;
}
