import Copy from "lucide-react/icons/copy";
import PackageSearch from "lucide-react/icons/package-search";
import Printer from "lucide-react/icons/printer";
import { useState } from "react";
import { type BatchRecall, type RecallOrder, unitsText } from "../../domain/inventory/stock.ts";
import { formatDay } from "../../domain/orders/order-text.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { CsvLink } from "../features/admin/kit/list/csv-link.tsx";
import { DataTable } from "../features/admin/kit/list/data-table.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { type ApiResult, callApi } from "../features/api.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageLink } from "../ui/page-link.tsx";
import { toast } from "../ui/toast.tsx";
import type { Route } from "./+types/admin-stock-recall";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Recall list");

export const loader = adminLoader(async ({ params, request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  const response = await read("GET /api/admin/batches/:id/orders", {
    params: { id: params.batchId },
    query: { cursor },
  });
  return response.data;
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

/** Buyers who have received units of a batch, or will receive them. */
function RecallList({ recall }: { recall: BatchRecall }) {
  const { batch, totals, unshipped, orders } = recall;
  return (
    <>
      <p className="mb-5 max-w-160 text-ink-muted">
        {batch.productName}, best before {formatDay(batch.bestBefore, "UTC")}. {unitsText(batch.remaining)} of{" "}
        {batch.received} left on the shelf
        {batch.orders > 0 && `, ${unitsText(totals.units)} with ${count(totals.orders, "order", "orders")}`}.
      </p>
      {totals.unshipped > 0 && (
        <Banner
          tone="warning"
          className="mb-4"
          title={`${count(totals.unshipped, "order is", "orders are")} not shipped yet.`}
        >
          In a recall, hold back: {unshipped.map((number) => `#${number}`).join(", ")}
          {totals.unshipped > unshipped.length && " and more, see the list"}.
        </Banner>
      )}
      {totals.erased > 0 && (
        <Banner tone="info" className="mb-4" title="Not everybody can be contacted.">
          {count(totals.erased, "buyer", "buyers")} had their data deleted.
        </Banner>
      )}
      <DataTable<RecallOrder>
        caption={`Orders with units of batch ${batch.code}, oldest first`}
        rows={orders}
        rowKey={({ orderId }) => orderId}
        empty={
          <EmptyState glyph={PackageSearch} title="No order has units of this batch" boxed>
            From its first sale on, every order with units of it is listed here, with the buyer’s email
            address.
          </EmptyState>
        }
        columns={[
          {
            header: "Order",
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: ({ orderId, number }) => (
              <PageLink
                className="link inline-flex min-h-6 items-center max-md:-my-2.5 max-md:min-h-11 max-md:min-w-11 print:no-underline"
                to={`/admin/orders/${orderId}`}
              >
                #{number}
              </PageLink>
            ),
          },
          {
            header: "Paid",
            nowrap: true,
            phone: "max-md:hidden text-ink-muted",
            cell: ({ date }) => <ShortDay iso={date} />,
          },
          {
            header: "Customer",
            phone: "max-md:col-span-2 max-md:row-start-2",
            cell: ({ customerName, email }) =>
              email === null ? (
                <span className="text-ink-muted">Data deleted</span>
              ) : (
                <span className="wrap-anywhere">
                  {customerName}
                  <span className="block text-small text-ink-muted">{email}</span>
                </span>
              ),
          },
          {
            header: "Units",
            align: "right",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center max-md:text-right",
            cell: ({ quantity, returned }) => (
              <>
                <span className="md:hidden print:hidden">{unitsText(quantity)}</span>
                <span className="max-md:hidden">{quantity}</span>
                {returned > 0 && (
                  <span className="block text-small text-ink-muted">{returned} came back</span>
                )}
              </>
            ),
          },
          {
            header: "Shipped",
            nowrap: true,
            phone: "max-md:col-span-2 max-md:row-start-3 text-small",
            cell: ({ shippedAt, quantity, returned }) => {
              // A cancelled order has returned all of its units.
              if (shippedAt === null) return returned < quantity ? "Not shipped yet" : "Never shipped";
              return (
                <>
                  <span className="md:hidden">Shipped </span>
                  <ShortDay iso={shippedAt} />
                </>
              );
            },
          },
        ]}
      />
      {orders.length > 0 && (
        <Pager nextCursor={recall.nextCursor}>{count(totals.orders, "order", "orders")} in all</Pager>
      )}
    </>
  );
}

function count(number: number, singular: string, plural: string): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? singular : plural}`;
}

/** Exports the recall list: copies the addresses, downloads a CSV file, or prints. */
function RecallActions({ batch }: { batch: BatchRecall["batch"] }) {
  const [isReading, setIsReading] = useState(false);

  async function copy() {
    setIsReading(true);
    try {
      // Safari copies text that is still loading only if its promise is passed within the click's handler.
      const addresses = readAddresses(batch.id);
      const text = addresses.then((emails) => new Blob([emails.join(", ")], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
      const { length } = await addresses;
      toast({
        title: length === 1 ? "1 address copied" : `${length} addresses copied`,
        description: "Put them into the Bcc field, so that nobody sees the others.",
      });
    } catch {
      toast({
        title: "The addresses could not be copied",
        description: "The CSV file has them, too.",
        tone: "danger",
      });
    }
    setIsReading(false);
  }

  return (
    <>
      <PanelButton className="max-sm:px-3" busy={isReading} busyText="Copying..." onClick={() => void copy()}>
        <Icon glyph={Copy} size="small" /> Copy addresses
      </PanelButton>
      <CsvLink href={`/api/admin/batches/${batch.id}/orders.csv`} />
      <PanelButton className="max-sm:px-3" onClick={() => window.print()}>
        <Icon glyph={Printer} size="small" /> Print
      </PanelButton>
    </>
  );
}

/** The e-mail addresses of all buyers, each once. Throws if they cannot be read. */
async function readAddresses(batchId: number): Promise<string[]> {
  const addresses = new Set<string>();
  let cursor: string | null = null;
  do {
    const response: ApiResult<{ data: BatchRecall }> = await callApi("GET /api/admin/batches/:id/orders", {
      params: { id: batchId },
      query: { limit: 1000, cursor },
    });
    if (!response.ok) throw new Error(response.problem.message);
    for (const { email } of response.body.data.orders) if (email !== null) addresses.add(email);
    cursor = response.body.data.nextCursor;
  } while (cursor !== null);
  return [...addresses];
}
