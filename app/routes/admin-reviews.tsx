import { useRouteLoaderData, useSearchParams } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { FilterBar } from "../features/admin/kit/list/filter-bar.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ReviewTable } from "../features/admin/reviews/review-table.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-reviews";
import type { loader as adminFrameLoader } from "./admin.tsx";

const pageSize = 25;

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Reviews");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const status = params.get("status");
  const showsPhotos = status === "photos";
  const query = {
    limit: pageSize,
    status: showsPhotos ? null : status,
    photos: showsPhotos ? "held" : null,
    cursor: params.get("cursor"),
  };
  return read("GET /api/admin/reviews", { query });
});

/** Reviews by status: pending, published and hidden. */
export default function AdminReviews({ loaderData: { data, nextCursor } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const counts = useRouteLoaderData<typeof adminFrameLoader>("routes/admin");
  const heldReviews = counts?.heldReviews ?? 0;
  const heldPhotos = counts?.heldPhotos ?? 0;
  return (
    <AdminPage title="Reviews">
      <div className="mb-4 flex">
        <FilterBar
          groups={[
            {
              title: "Reviews",
              label: "Filter reviews",
              param: "status",
              options: [
                { value: null, label: "All" },
                { value: "pending", label: "Held", ...(heldReviews > 0 ? { count: heldReviews } : {}) },
                { value: "photos", label: "Photos", ...(heldPhotos > 0 ? { count: heldPhotos } : {}) },
                { value: "published", label: "Published" },
                { value: "hidden", label: "Hidden" },
              ],
            },
          ]}
        />
      </div>
      <ReviewTable reviews={data} status={search.get("status")} />
      <Pager nextCursor={nextCursor} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Reviews", "Failed to load reviews");
