import { Link } from "react-router";
import { type ProductStock, unitsText } from "../../domain/inventory/stock.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { BatchList } from "../features/admin/inventory/batch-list.tsx";
import { StockForm } from "../features/admin/inventory/stock-form.tsx";
import { StockHistory } from "../features/admin/inventory/stock-history.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { useMayOpen } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
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
      <div className="grid gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <CurrentStock stock={stock} />
        <StockForm key={id} stock={stock} />
      </div>
      <BatchList stock={stock} />
      <StockHistory stock={stock} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Stock", "The stock could not be loaded");

/** The units for sale, on hand, reserved, and outside batches. */
function CurrentStock({ stock }: { stock: ProductStock }) {
  const { free, onHand, reserved, lowStockAt } = stock;
  const mayOpen = useMayOpen();
  return (
    <Card className="p-5">
      <h2 className="card-title">Now</h2>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="type-display text-[2.25rem] leading-tight tabular-nums">
          {free.toLocaleString("en-US")}
        </span>
        <span>for sale</span>
        {free <= 0 ? (
          <Badge tone="red">Sold out</Badge>
        ) : (
          free <= lowStockAt && <Badge tone="yellow">Running low</Badge>
        )}
      </p>
      <dl className="mt-3 grid gap-1.5 text-ui">
        <Figure term="On the shelf" units={onHand} />
        <Figure term="Promised to orders being paid" units={reserved} />
        {stock.batches.length > 0 && <Figure term="On the shelf, not in a batch" units={stock.unbatched} />}
        {stock.waiting > 0 && <Figure term="Shoppers waiting for it to be back" units={stock.waiting} />}
      </dl>
      {stock.waiting > 0 && (
        <p className="mt-3 text-small text-ink-muted">
          They get one email within minutes after you add units: you need not send anything.
        </p>
      )}
      <p className="mt-3 text-small text-ink-muted">
        {lowStockAt === 0
          ? "You are not notified when it runs low."
          : `You get an email at ${unitsText(lowStockAt)} or fewer.`}{" "}
        You can change that in{" "}
        {mayOpen("/admin/settings/:page") ? (
          <Link to="/admin/settings/stock" className="link">
            Settings
          </Link>
        ) : (
          "Settings"
        )}
        .
      </p>
    </Card>
  );
}

function Figure({ term, units }: { term: string; units: number }) {
  return (
    <div className="flex justify-between gap-4 border-t border-line pt-1.5">
      <dt className="text-ink-muted">{term}</dt>
      <dd className="tabular-nums">{units.toLocaleString("en-US")}</dd>
    </div>
  );
}
