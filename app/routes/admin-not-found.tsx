import { data } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-not-found";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Page not found");

/** Every other address below `/admin`: the menu stays, unlike on the shop's own page for unknown addresses. */
export const loader = adminLoader(async (_: Route.LoaderArgs): Promise<null> => {
  throw data({ message: "Check it, or choose a page from the menu." }, { status: 404 });
});

export default function AdminNotFound() {
  return null;
}

export const ErrorBoundary = problemPage("Page not found", "This page could not be loaded");
