import { isDate } from "../../domain/shared/zoned-days.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { BooksPage } from "../features/admin/books/books-page.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-books";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Accountant");

/** `?from=` and `?to=`: days in the shop's time zone; by default the current month. */
export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const search = new URL(request.url).searchParams;
  const [from, to] = [search.get("from") ?? "", search.get("to") ?? ""];
  const hasDays = from !== "" || to !== "";
  const problem = !hasDays
    ? null
    : !isDate(from) || !isDate(to)
      ? "Enter both days."
      : from > to
        ? "The first day comes after the last."
        : null;
  const { today } = (await read("GET /api/admin/time-zone")).data;
  const days = hasDays && problem === null ? { from, to } : { from: `${today.slice(0, 7)}-01`, to: today };
  return { books: (await read("GET /api/admin/books", { query: days })).data, problem };
});

export default function AdminBooks({ loaderData }: Route.ComponentProps) {
  return <BooksPage {...loaderData} />;
}

export const ErrorBoundary = problemPage("Accountant", "The books could not be loaded");
