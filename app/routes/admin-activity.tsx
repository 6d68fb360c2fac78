import { useSearchParams } from "react-router";
import { isDate } from "../../domain/shared/zoned-days.ts";
import { ActivityList } from "../features/admin/activity/activity-list.tsx";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { FilterBar, type FilterGroup } from "../features/admin/kit/list/filter-bar.tsx";
import { DateFilter } from "../features/admin/kit/list/filter-select.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-activity";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Activity");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const param = (name: string) => params.get(name) || null;
  const day = (name: string) => (isDate(params.get(name) ?? "") ? param(name) : null);
  const query = {
    subject: param("subject"),
    person: param("person"),
    from: day("from"),
    to: day("to"),
    cursor: param("cursor"),
  };
  const [{ data, nextCursor }, people] = await Promise.all([
    read("GET /api/admin/activity", { query }),
    read("GET /api/admin/people"),
  ]);
  return { data, nextCursor, people: people.data.people };
});

const kinds = [
  { value: null, label: "All" },
  { value: "order", label: "Orders" },
  { value: "product", label: "Products" },
  { value: "review", label: "Reviews" },
  { value: "message", label: "Messages" },
  { value: "discount", label: "Discounts" },
  { value: "settings", label: "Settings" },
  { value: "session", label: "Sessions" },
];

/** The record of every change made in the panel. */
export default function AdminActivity({ loaderData: { data, nextCursor, people } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const subject = search.get("subject");
  const isSingleSubject = subject?.includes(":") ?? false;
  const byPerson: FilterGroup = {
    title: "Person",
    label: "Filter by person",
    param: "person",
    options: [
      { value: null, label: "Everybody" },
      ...people.map(({ id, name }) => ({ value: id, label: name })),
    ],
  };
  return (
    <AdminPage title="Activity">
      <div className="mb-4">
        <FilterBar
          groups={[
            {
              title: "Subject",
              label: "Filter activity",
              param: "subject",
              options: isSingleSubject
                ? [
                    { value: null, label: "All" },
                    { value: subject, label: "Only this one" },
                  ]
                : kinds,
            },
            ...(people.length > 0 ? [byPerson] : []),
          ]}
          more={<DateFilter />}
          moreParams={["from", "to"]}
        />
      </div>
      <ActivityList
        entries={data}
        isFiltered={["subject", "person", "from", "to", "cursor"].some((name) => search.has(name))}
      />
      <Pager nextCursor={nextCursor} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Activity", "Failed to load the activity log");
