import { monthRange } from "../../domain/books/statement.ts";
import { isDate } from "../../domain/shared/zoned-days.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { BooksPage } from "../features/admin/books/books-page.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-books";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Accountant");

/**
 * `?from=` and `?to=`: days in the shop's time zone; by default last month, or this month if last month's books are
 * empty.
 */
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
  const readBooks = async (query: { from: string; to: string }) =>
    (await read("GET /api/admin/books", { query })).data;
  if (hasDays && problem === null) return { books: await readBooks({ from, to }), problem };
  const { today } = (await read("GET /api/admin/time-zone")).data;
  const lastMonth = await readBooks(monthRange(today, -1));
  const isEmpty = lastMonth.tax.length === 0 && lastMonth.invoices === 0 && lastMonth.payouts.count === 0;
  return { books: isEmpty ? await readBooks(monthRange(today)) : lastMonth, problem };
});

export default function AdminBooks({ loaderData }: Route.ComponentProps) {
  return <BooksPage {...loaderData} />;
}

export const ErrorBoundary = problemPage("Accountant", "The books could not be loaded");
