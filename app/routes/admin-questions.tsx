import MessageCircleQuestion from "lucide-react/icons/message-circle-question";
import { useRouteLoaderData } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { FilterBar } from "../features/admin/kit/list/filter-bar.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { QuestionList } from "../features/admin/questions/question-list.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/admin-questions";
import type { loader as adminFrameLoader } from "./admin.tsx";

const pageSize = 25;

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Questions");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const query = { limit: pageSize, status: params.get("status"), cursor: params.get("cursor") };
  return read("GET /api/admin/questions", { query });
});

/** Shoppers' questions about products: open, published, hidden. */
export default function AdminQuestions({ loaderData: { data, nextCursor } }: Route.ComponentProps) {
  const open = useRouteLoaderData<typeof adminFrameLoader>("routes/admin")?.openQuestions ?? 0;
  return (
    <AdminPage
      title="Questions"
      actions={
        <FilterBar
          groups={[
            {
              title: "Questions",
              label: "Filter questions",
              param: "status",
              options: [
                { value: null, label: "All" },
                { value: "open", label: "Open", ...(open > 0 ? { count: open } : {}) },
                { value: "published", label: "Published" },
                { value: "hidden", label: "Hidden" },
              ],
            },
          ]}
        />
      }
    >
      {data.length === 0 ? (
        <EmptyState glyph={MessageCircleQuestion} boxed title="No questions here" heading="h2">
          Questions from a product’s page appear here, and you are told by email. Your answers appear on that
          page.
        </EmptyState>
      ) : (
        <QuestionList questions={data} />
      )}
      <Pager nextCursor={nextCursor} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Questions", "Failed to load questions");
