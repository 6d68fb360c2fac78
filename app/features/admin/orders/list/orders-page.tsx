import Download from "lucide-react/icons/download";
import FilePlus from "lucide-react/icons/file-plus";
import PackageCheck from "lucide-react/icons/package-check";
import Printer from "lucide-react/icons/printer";
import Ticket from "lucide-react/icons/ticket";
import Truck from "lucide-react/icons/truck";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { OrderFilterChoices } from "../../../../../domain/admin/saved-filters.ts";
import {
  type AdminOrderPage,
  type AdminOrderRow,
  isVisibleToPackers,
  type OrderFilter,
} from "../../../../../domain/orders/admin-orders.ts";
import { useCurrentInView } from "../../../../ui/browser/use-current-in-view.ts";
import { ButtonLink, buttonClass } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TextButton, textLinkClass } from "../../../../ui/text-button.tsx";
import { PanelButton } from "../../kit/action-button.tsx";
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
import { withParam } from "../../kit/list/search-params.ts";
import { BulkLabels } from "../../labels/bulk-labels.tsx";
import { TrackingImport } from "../../labels/tracking-import.tsx";
import { May, useMayCall, useMayOpen, useRights } from "../../rights.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { orderStates, orderTabs } from "../order-labels.ts";
import { slipsPath } from "../parcel.ts";
import { BulkShip } from "./bulk-ship.tsx";
import { orderColumns } from "./order-columns.tsx";
import { activeMoreFilters, exportQuery, MoreFilters, moreFilterParams, NoOrders } from "./order-filters.tsx";

/** The list of orders. Filters are kept in the URL, the selection is not. */
export function OrdersPage({
  page,
  choices,
}: {
  page: AdminOrderPage;
  /** Options of the additional filters; with null, none are shown. */
  choices: OrderFilterChoices | null;
}) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const [openDialog, setOpenDialog] = useState<"shipping" | "import" | "labels" | null>(null);
  const close = () => setOpenDialog(null);
  useRowKeys();
  const status = params.get("status");
  const rows = page.data;
  const selection = useRowSelection(rows.filter(canShip).map(({ orderId }) => orderId));
  const selectedRows = rows.filter(({ orderId }) => selection.ids.includes(orderId));
  const { role } = useRights();
  const isPacker = role === "packer";
  const mayShip = useMayCall("POST /api/admin/orders/ship");
  const columns = orderColumns(search, { isToShipList: status === "to_ship", isPacker });
  return (
    <AdminPage
      title="View Orders"
      actions={
        <Actions toShip={page.queues.to_ship} isQuiet={selectedRows.length > 0} query={exportQuery(params)} />
      }
    >
      <Tabs page={page} isPacker={isPacker} />
      <div className="mb-4 flex flex-wrap items-start gap-2">
        <div className="grow basis-48 md:max-w-sm">
          <SearchField label="Search orders" placeholder="Name, city, number" />
        </div>
        {choices && (
          <FilterBar
            isCollapsed
            more={<MoreFilters choices={choices} />}
            moreParams={moreFilterParams}
            moreActiveFilters={activeMoreFilters(params, choices)}
            groups={[{ title: "State", label: "Filter by state", param: "status", options: orderStates }]}
          />
        )}
      </div>
      {choices && <SavedFilters list="orders" filters={choices.saved} />}
      <DataTable
        caption="Orders"
        rows={rows}
        rowKey={({ orderId }) => orderId}
        isCurrent={({ orderId }) => selection.has(orderId)}
        columns={status === "to_ship" && mayShip ? [selectColumn(selection), ...columns] : columns}
        bar={
          selectedRows.length > 0 && (
            <SelectionBar
              selection={selection}
              text={selectedRows.length === 1 ? "1 order selected" : `${selectedRows.length} orders selected`}
            >
              <PanelButton
                variant="primary"
                className="whitespace-nowrap max-md:order-last max-md:px-3.5"
                onClick={() => setOpenDialog("shipping")}
              >
                <Icon glyph={Truck} size="small" className="max-md:hidden" /> Mark as shipped
              </PanelButton>
              <PanelButton
                className="whitespace-nowrap max-md:px-3"
                aria-label="Buy labels"
                onClick={() => setOpenDialog("labels")}
              >
                <Icon glyph={Ticket} size="small" /> <span className="max-md:hidden">Buy labels</span>
              </PanelButton>
              <a
                href={slipsPath(selection.ids)}
                target="_blank"
                rel="noreferrer"
                aria-label="Packing slips"
                className={`${buttonClass({ variant: "secondary", size: "small" })} max-md:px-3`}
              >
                <Icon glyph={Printer} size="small" /> <span className="max-md:hidden">Packing slips</span>
              </a>
            </SelectionBar>
          )
        }
        empty={
          <NoOrders
            status={status}
            q={params.get("q")}
            hasMoreFilters={moreFilterParams.some((name) => params.has(name))}
            isPacker={isPacker}
          />
        }
      />
      {rows.length > 0 && (
        <Pager nextCursor={page.nextCursor}>
          {countText(page, params.has("cursor"))}
          {status === "to_ship" && ", expedited first, then the oldest"}
        </Pager>
      )}
      {status === "to_ship" && mayShip && (
        <div className="mt-2 flex flex-wrap gap-x-5 text-small">
          {rows.length > 0 && (
            <May call="GET /api/admin/label-tool.csv">
              <a href="/api/admin/label-tool.csv" download className={textLinkClass}>
                Export for a label tool
              </a>
            </May>
          )}
          <TextButton onClick={() => setOpenDialog("import")}>Import tracking numbers</TextButton>
        </div>
      )}
      {openDialog === "import" && <TrackingImport onClose={close} />}
      {openDialog === "labels" && <BulkLabels orders={selectedRows} onClose={close} />}
      {openDialog === "shipping" && <BulkShip orders={selectedRows} onClose={close} />}
    </AdminPage>
  );
}

/** `isQuiet`: whether Ship next is only outlined, because the actions on selected rows have the primary button. */
function Actions({ toShip, isQuiet, query }: { toShip: number; isQuiet: boolean; query: string }) {
  const mayOpen = useMayOpen();
  const mayShip = useMayCall("POST /api/admin/orders/ship");
  return (
    <div className="flex w-full flex-wrap gap-2 max-sm:w-[calc(100vw-2*var(--gutter))]">
      {toShip > 0 && mayShip && (
        // A full page load, because the page's response headers permit the camera.
        <a
          href="/admin/ship-next"
          className={`${buttonClass({ size: "small", variant: isQuiet ? "secondary" : "primary" })} whitespace-nowrap max-sm:grow max-sm:px-3`}
        >
          <Icon glyph={PackageCheck} size="small" /> Ship next
        </a>
      )}
      {mayOpen("/admin/drafts") && (
        <ButtonLink variant="secondary" size="small" to="/admin/drafts">
          <Icon glyph={FilePlus} size="small" className="max-[24rem]:hidden" /> Drafts
        </ButtonLink>
      )}
      <May call="GET /api/admin/orders.csv">
        <a
          href={`/api/admin/orders.csv${query}`}
          download
          className={buttonClass({ variant: "secondary", size: "small" })}
        >
          <Icon glyph={Download} size="small" className="max-[24rem]:hidden" /> CSV
        </a>
      </May>
    </div>
  );
}

/**
 * Tabs of the work queues with their numbers of orders. On phones the number is above the name, so that all tabs fit, however
 * large the numbers are.
 * Lists without a tab are shown under All.
 */
function Tabs({ page, isPacker }: { page: AdminOrderPage; isPacker: boolean }) {
  const [search] = useSearchParams();
  const status = search.get("status");
  const tabs = isPacker
    ? orderTabs.filter(({ value }) => value !== null && isVisibleToPackers(value))
    : orderTabs;
  const current = tabs.find(({ value }) => value === status) ?? tabs.at(-1);
  const row = useCurrentInView<HTMLUListElement>(current?.label ?? null);
  return (
    <nav
      aria-label="Filter orders"
      className="mb-4 shadow-[inset_0_-1px_var(--color-line)] max-lg:-mx-(--gutter)"
    >
      <ul
        ref={row}
        className="relative flex gap-0.5 overflow-x-auto pr-1.5 pl-[calc(var(--gutter)-.375rem)] [scrollbar-width:none] lg:-mx-1.5 lg:gap-4 lg:px-0"
      >
        {tabs.map((tab) => {
          const count = queueCount(page, tab.value);
          return (
            <li key={tab.label}>
              <Link
                to={withParam(search, "status", tab.value)}
                preventScrollReset
                aria-current={tab === current ? "true" : undefined}
                className="inline-flex min-h-11.5 min-w-11 items-center justify-center gap-1.5 border-b-2 px-1.5 border-transparent text-small max-sm:h-full max-sm:flex-col-reverse max-sm:justify-start max-sm:gap-0 max-sm:pb-2 font-medium whitespace-nowrap text-ink-muted no-underline -outline-offset-2! hover:text-ink lg:text-ui aria-[current=true]:border-copper-600 aria-[current=true]:font-semibold aria-[current=true]:text-ink"
              >
                {tab.label}
                {count > 0 && (
                  <span
                    className={`font-semibold tabular-nums ${tab.value === "problems" ? "text-danger" : ""}`}
                  >
                    {count > 99 ? "99+" : count}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function canShip({ delivery }: Pick<AdminOrderRow, "delivery">): boolean {
  return delivery === "to_ship" || delivery === "partly_shipped";
}

function queueCount({ queues }: AdminOrderPage, value: OrderFilter | null): number {
  return Object.entries(queues).find(([name]) => name === value)?.[1] ?? 0;
}

function countText({ data, nextCursor }: AdminOrderPage, isBeyondFirstPage: boolean): string {
  const orders = data.length === 1 ? "order" : "orders";
  return nextCursor === null && !isBeyondFirstPage
    ? `${data.length} of ${data.length} ${orders}`
    : `${data.length} ${orders} on this page`;
}

/** Moves the focus down (`j`) and up (`k`) the list; Enter opens the order. */
function useRowKeys(): void {
  useShortcut({ keys: "j", label: "Next order", run: () => moveFocus(1) });
  useShortcut({ keys: "k", label: "Previous order", run: () => moveFocus(-1) });
}

function moveFocus(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("main [data-order-link]")];
  const { activeElement } = document;
  const index = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  const next = index === -1 ? links.at(by === 1 ? 0 : -1) : links[Math.max(0, index + by)];
  next?.focus();
}

/** A checkbox for every order that can be shipped, and one for all. */
function selectColumn(selection: RowSelection): Column<AdminOrderRow> {
  return {
    key: "select",
    // On phones, to the left of the row's lines.
    phone: `max-md:absolute max-md:top-0.5 max-md:left-1 max-md:z-(--z-raised)`,
    showsHeaderOnPhones: true,
    header: (
      <ChoiceBox
        label="Select all on this page"
        text={<span className="text-small md:hidden">Select all on this page</span>}
        className="-m-3 max-md:m-0 max-md:px-0"
        checked={selection.isAllSelected}
        isIndeterminate={selection.ids.length > 0}
        onChange={selection.toggleAll}
      />
    ),
    cell: ({ orderId, number, delivery }) =>
      canShip({ delivery }) && (
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
