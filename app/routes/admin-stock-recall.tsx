import type { BatchRecall } from "../../domain/stock.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage } from "../features/admin/kit/admin-page.tsx";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { RecallActions } from "../features/admin/stock/recall-actions.tsx";
import { RecallList } from "../features/admin/stock/recall-list.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-stock-recall";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Recall list");

export const loader = adminLoader(
  async ({ params }: Route.LoaderArgs, read) =>
    (await read<{ data: BatchRecall }>(`/api/admin/batches/${params.batchId}/orders`)).data,
);

export default function AdminStockRecall({ loaderData: recall }: Route.ComponentProps) {
  const { batch } = recall;
  return (
    <AdminPage
      title={`Orders of batch ${batch.code}`}
      back={{ to: `/admin/products/${batch.productId}/stock`, label: `Stock of ${batch.productName}` }}
      actions={recall.orders.length > 0 && <RecallActions recall={recall} />}
    >
      <RecallList recall={recall} />
    </AdminPage>
  );
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="Recall list" title="The recall list could not be loaded" />;
}
