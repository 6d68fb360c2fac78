import { adminLoader } from "../features/admin/admin-data.ts";
import { BatchList } from "../features/admin/inventory/batch-list.tsx";
import { CurrentStock } from "../features/admin/inventory/current-stock.tsx";
import { StockForm } from "../features/admin/inventory/stock-form.tsx";
import { StockHistory } from "../features/admin/inventory/stock-history.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-stock";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Stock");

export const loader = adminLoader(async ({ params, request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  return (await read("GET /api/admin/products/:id/stock", { params: { id: params.id }, query: { cursor } }))
    .data;
});

export default function AdminStock({ loaderData: stock }: Route.ComponentProps) {
  const { id, name } = stock.product;
  return (
    <AdminPage title={`Stock of ${name}`} back={{ to: `/admin/products/${id}`, label: name }}>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:items-start">
        <CurrentStock stock={stock} />
        <StockForm key={id} stock={stock} />
      </div>
      <BatchList stock={stock} />
      <StockHistory stock={stock} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Stock", "The stock could not be loaded");
