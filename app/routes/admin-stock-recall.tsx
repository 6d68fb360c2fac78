import { adminLoader } from "../features/admin/admin-data.ts";
import { RecallActions, RecallList } from "../features/admin/inventory/recall-list.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-stock-recall";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Recall list");

export const loader = adminLoader(async ({ params, request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  const answer = await read("GET /api/admin/batches/:id/orders", {
    params: { id: params.batchId },
    query: { cursor },
  });
  return answer.data;
});

export default function AdminStockRecall({ loaderData: recall }: Route.ComponentProps) {
  const { batch } = recall;
  return (
    <AdminPage
      title={`Orders of batch ${batch.code}`}
      back={{ to: `/admin/products/${batch.productId}/stock`, label: `Stock of ${batch.productName}` }}
      actions={batch.orders > 0 && <RecallActions batch={batch} />}
    >
      <RecallList recall={recall} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Recall list", "The recall list could not be loaded");
