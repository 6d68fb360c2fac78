import Download from "lucide-react/icons/download";
import FilePlus from "lucide-react/icons/file-plus";
import PackageCheck from "lucide-react/icons/package-check";
import Truck from "lucide-react/icons/truck";
import { useState } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import {
  type AdminOrderPage,
  type AdminOrderRow,
  isPackersList,
  type OrderFilter,
} from "../../../../../domain/orders/admin-orders.ts";
import type { OrderFilterChoices } from "../../../../../domain/orders/order-filters.ts";
import { Button, ButtonLink, buttonClass } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { AdminPage } from "../../kit/admin-page.tsx";
import { type Column, DataTable } from "../../kit/list/data-table.tsx";
import { FilterBar } from "../../kit/list/filter-bar.tsx";
import { Pager } from "../../kit/list/pager.tsx";
import {
  ChoiceBox,
  type RowSelection,
  SelectionBar,
  useRowSelection,
} from "../../kit/list/row-selection.tsx";
import { SavedFilters } from "../../kit/list/saved-filters.tsx";
import { SearchField } from "../../kit/list/search-field.tsx";
import { May, useMay, useMayOpen, useRights } from "../../rights.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { orderLists } from "../order-labels.ts";
import { SlipsLink } from "../print-links.tsx";
import { BulkShip } from "./bulk-ship.tsx";
import { orderColumns } from "./order-columns.tsx";
import { exportQuery, MoreFilters, moreFilterParams, moreFiltersChosen, NoOrders } from "./order-filters.tsx";

/** The list of orders. Filters are kept in the address, the selection is not. */
export function OrdersPage({
  page,
  choices,
}: {
  page: AdminOrderPage;
  /** Options of the additional filters; null: none are shown. */
  choices: OrderFilterChoices | null;
}) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { id: openId } = useParams();
  const [isShipping, setShipping] = useState(false);
  useRowKeys();
  const status = params.get("status");
  const rows = page.data;
  const selection = useRowSelection(rows.filter(isToShip).map(({ orderId }) => orderId));
  const toShip = rows.filter(({ orderId }) => selection.ids.includes(orderId));
  const { role } = useRights();
  const mayOpen = useMayOpen();
  const mayShip = useMay("POST /api/admin/orders/ship");
  const lists =
    role === "packer" ? orderLists.filter(({ value }) => value !== null && isPackersList(value)) : orderLists;
  const columns = orderColumns(search).filter(({ key }) => role !== "packer" || key !== "amount");
  return (
    <AdminPage
      title="View Orders"
      actions={
        <>
          {page.queues.to_ship > 0 && mayShip && (
            // A full page load, as the response's headers permit the camera.
            <a href="/admin/ship-next" className={buttonClass({ size: "small" })}>
              <Icon glyph={PackageCheck} size="small" /> Ship next
            </a>
          )}
          {mayOpen("/admin/drafts") && (
            <ButtonLink variant="secondary" size="small" to="/admin/drafts">
              <Icon glyph={FilePlus} size="small" /> Drafts
            </ButtonLink>
          )}
          <SearchField label="Search orders" placeholder="Name, phone, tracking..." />
          <May call="GET /api/admin/orders.csv">
            <a
              href={`/api/admin/orders.csv${exportQuery(params)}`}
              download
              className={buttonClass({ variant: "secondary", size: "small" })}
            >
              <Icon glyph={Download} size="small" /> CSV
            </a>
          </May>
        </>
      }
    >
      {choices && <SavedFilters list="orders" saved={choices.saved} />}
      <div className="mb-4">
        <FilterBar
          {...(choices && {
            more: <MoreFilters choices={choices} />,
            moreParams: moreFilterParams,
            moreChosen: moreFiltersChosen(params, choices),
          })}
          groups={[
            {
              title: "Orders",
              label: "Filter orders",
              param: "status",
              options: lists.map(({ value, label }) => ({ value, label, ...countOf(page, value) })),
            },
          ]}
        />
      </div>
      {toShip.length > 0 && (
        <SelectionBar words={toShip.length === 1 ? "1 order chosen" : `${toShip.length} orders chosen`}>
          <SlipsLink orderIds={selection.ids} />
          <Button size="small" onClick={() => setShipping(true)}>
            <Icon glyph={Truck} size="small" /> Mark as shipped
          </Button>
        </SelectionBar>
      )}
      <DataTable
        caption="Orders"
        rows={rows}
        rowKey={({ orderId }) => orderId}
        isCurrent={({ orderId }) => orderId === openId}
        columns={status === "to_ship" && mayShip ? [selectColumn(selection), ...columns] : columns}
        empty={
          <NoOrders
            status={status}
            q={params.get("q")}
            isNarrowed={moreFilterParams.some((name) => params.has(name))}
          />
        }
      />
      {rows.length > 0 && <Pager nextCursor={page.nextCursor}>{countText(page, params.has("cursor"))}</Pager>}
      {isShipping && <BulkShip orders={toShip} onClose={() => setShipping(false)} />}
    </AdminPage>
  );
}

function isToShip({ delivery }: Pick<AdminOrderRow, "delivery">): boolean {
  return delivery === "to_ship" || delivery === "partly_shipped";
}

function countOf({ queues }: AdminOrderPage, value: OrderFilter | null): { count?: number } {
  const count = Object.entries(queues).find(([name]) => name === value)?.[1];
  return count ? { count } : {};
}

function countText({ data, nextCursor }: AdminOrderPage, isFurther: boolean): string {
  const orders = data.length === 1 ? "order" : "orders";
  return nextCursor === null && !isFurther
    ? `${data.length} of ${data.length} ${orders}`
    : `${data.length} ${orders} on this page`;
}

/** Moves the focus down (`j`) and up (`k`) the list; Enter opens the order. */
function useRowKeys(): void {
  useShortcut({ keys: "j", label: "Next order", run: () => step(1) });
  useShortcut({ keys: "k", label: "Previous order", run: () => step(-1) });
}

function step(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("main [data-order-link]")];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  const next = at === -1 ? links.at(by === 1 ? 0 : -1) : links[Math.max(0, at + by)];
  next?.focus();
}

/** A checkbox for every order that can be shipped, and one for all. */
function selectColumn(selection: RowSelection): Column<AdminOrderRow> {
  return {
    key: "select",
    // On phones before the lines of its row.
    phone: `max-md:absolute max-md:top-0.5 max-md:left-1 max-md:z-(--z-raised)`,
    headed: true,
    header: (
      <ChoiceBox
        label="Choose all on this page"
        words={<span className="text-small md:hidden">Choose all on this page</span>}
        className="-m-3 max-md:m-0 max-md:px-0"
        checked={selection.isAll}
        isPartly={selection.ids.length > 0}
        onChange={selection.toggleAll}
      />
    ),
    cell: ({ orderId, number, delivery }) =>
      isToShip({ delivery }) && (
        <ChoiceBox
          label={`Choose order #${number}`}
          className="-m-3 max-md:m-0"
          isRowChoice
          checked={selection.has(orderId)}
          onChange={(isChosen) => selection.toggle(orderId, isChosen)}
        />
      ),
  };
}
