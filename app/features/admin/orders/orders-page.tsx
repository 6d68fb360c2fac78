import Download from "lucide-react/icons/download";
import Truck from "lucide-react/icons/truck";
import { useState } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import type { AdminOrderPage } from "../../../../domain/orders/admin-orders.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ChosenBar } from "../kit/chosen-bar.tsx";
import { DataTable } from "../kit/data-table.tsx";
import { FilterTabs } from "../kit/filter-tabs.tsx";
import { Pager } from "../kit/pager.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { useChosen } from "../kit/use-chosen.ts";
import { BulkShip } from "./bulk-ship.tsx";
import { exportQuery } from "./list-query.ts";
import { NoOrders } from "./no-orders.tsx";
import { orderColumns } from "./order-columns.tsx";
import { orderLists } from "./order-labels.ts";
import { SlipsLink } from "./print-links.tsx";
import { selectColumn } from "./select-column.tsx";
import { useRowKeys } from "./use-row-keys.ts";

/** The list of orders. What it shows is in its address; what is chosen in it is not. */
export function OrdersPage({ page }: { page: AdminOrderPage }) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { id: openId } = useParams();
  const [isShipping, setShipping] = useState(false);
  useRowKeys();
  const status = params.get("status");
  const rows = page.data;
  const chosen = useChosen(
    rows.filter(({ delivery }) => delivery === "to_ship").map(({ orderId }) => orderId),
  );
  const toShip = rows.filter(({ orderId }) => chosen.ids.includes(orderId));
  const columns = orderColumns(search);
  return (
    <AdminPage
      title="View Orders"
      actions={
        <>
          <SearchField label="Search orders" placeholder="Name, email or order" />
          <a
            href={`/api/admin/orders.csv${exportQuery(params)}`}
            download
            className={buttonClass({ variant: "secondary", size: "small" })}
          >
            <Icon glyph={Download} size="small" /> CSV
          </a>
        </>
      }
    >
      <div className="mb-4">
        <FilterTabs
          label="Filter orders"
          param="status"
          options={orderLists.map(({ value, label }) => ({ value, label, ...countOf(page, value) }))}
        />
      </div>
      {toShip.length > 0 && (
        <ChosenBar words={toShip.length === 1 ? "1 order chosen" : `${toShip.length} orders chosen`}>
          <SlipsLink orderIds={chosen.ids} />
          <Button size="small" onClick={() => setShipping(true)}>
            <Icon glyph={Truck} size="small" /> Mark as shipped
          </Button>
        </ChosenBar>
      )}
      <DataTable
        caption="Orders"
        rows={rows}
        rowKey={({ orderId }) => orderId}
        isCurrent={({ orderId }) => orderId === openId}
        columns={status === "to_ship" ? [selectColumn(chosen), ...columns] : columns}
        empty={<NoOrders status={status} q={params.get("q")} />}
      />
      {rows.length > 0 && <Pager nextCursor={page.nextCursor}>{countText(page, params.has("cursor"))}</Pager>}
      {isShipping && <BulkShip orders={toShip} onClose={() => setShipping(false)} />}
    </AdminPage>
  );
}

function countOf({ queues }: AdminOrderPage, value: string | null): { count?: number } {
  if (value !== "to_ship" && value !== "returns" && value !== "attention") return {};
  const count = queues[value];
  return count ? { count } : {};
}

function countText({ data, nextCursor }: AdminOrderPage, isFurther: boolean): string {
  const orders = data.length === 1 ? "order" : "orders";
  return nextCursor === null && !isFurther
    ? `${data.length} of ${data.length} ${orders}`
    : `${data.length} ${orders} on this page`;
}
