import { data } from "react-router";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { viewerContext } from "../shop-context.ts";
import type { Route } from "./+types/admin-not-found";

const title = "404 Page Not Found";
export const meta: Route.MetaFunction = (args) => privatePageMeta(args, title);

/** Every other path below `/admin`: an error beside the menu, or the sign-in form for visitors who are not signed in. */
export function loader({ context }: Route.LoaderArgs) {
  const status = 404;
  if (context.get(viewerContext).admin) throw data(null, { status });
  return data(null, { status });
}

export default function AdminNotFound() {
  return null;
}

export const ErrorBoundary = problemPage(title, "This page could not be loaded");
