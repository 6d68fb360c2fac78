import Plus from "lucide-react/icons/plus";
import TicketPercent from "lucide-react/icons/ticket-percent";
import { useState } from "react";
import { Link, Outlet, useLocation } from "react-router";
import type { AdminDiscount } from "../../domain/discounts/discount-form.ts";
import {
  type DiscountState,
  discountSentence,
  discountState,
} from "../../domain/discounts/discount-terms.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ImportLink } from "../features/admin/imports/import-link.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import {
  aboveRowLinkClass,
  type Column,
  DataTable,
  rowLink,
} from "../features/admin/kit/list/data-table.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { Switch } from "../features/admin/kit/switch.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-discounts";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Discounts");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [{ data: discounts, nextCursor }, { data: settings }] = await Promise.all([
    read("GET /api/admin/discounts", { query: { cursor } }),
    read("GET /api/admin/settings"),
  ]);
  return { discounts, nextCursor, timeZone: settings.timeZone, now: new Date().toISOString() };
});

export default function AdminDiscounts({ loaderData }: Route.ComponentProps) {
  const { discounts, nextCursor } = loaderData;
  const { search } = useLocation();
  return (
    <AdminPage
      title="Discounts"
      actions={
        discounts.length > 0 && (
          <>
            <ImportLink kind="discounts" />
            <ButtonLink
              size="small"
              to={{ pathname: "/admin/discounts/new", search }}
              preventScrollReset
              state={{ keepsFocus: true }}
            >
              <Icon glyph={Plus} size="small" /> New discount
            </ButtonLink>
          </>
        )
      }
    >
      <DiscountList {...loaderData} search={search} />
      {discounts.length > 0 && (
        <Pager nextCursor={nextCursor}>
          {discounts.length} {discounts.length === 1 ? "discount" : "discounts"}
        </Pager>
      )}
      <Outlet />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Discounts", "Failed to load discounts");

const states: Record<DiscountState, { label: string; tone: "green" | "blue" | "yellow" | "cream" }> = {
  running: { label: "Active", tone: "green" },
  upcoming: { label: "Not yet", tone: "blue" },
  ended: { label: "Ended", tone: "cream" },
  used_up: { label: "Used up", tone: "yellow" },
  off: { label: "Off", tone: "cream" },
};

/** All discounts with their terms, number of uses and switch. `now` is the server's time. */
function DiscountList({
  discounts,
  timeZone,
  now,
  search,
}: Route.ComponentProps["loaderData"] & {
  /** The list's query string, which stays in the URL while a discount is open beside the list. */
  search: string;
}) {
  const columns: Column<AdminDiscount>[] = [
    {
      header: "Code or name",
      phone: "max-md:col-start-1 max-md:row-start-1",
      cell: ({ id, code }) => (
        <Link
          to={{ pathname: `/admin/discounts/${id}`, search }}
          preventScrollReset
          state={{ keepsFocus: true }}
          {...rowLink}
          className={`${rowLink.className} wrap-anywhere`}
        >
          {code}
        </Link>
      ),
    },
    {
      header: "What it gives",
      phone: "max-md:col-span-2 max-md:row-start-2",
      cell: (discount) => (
        <>
          {discountSentence(discount, timeZone)}
          {discount.automatic && (
            <span className="block text-small text-ink-muted">Applies automatically</span>
          )}
        </>
      ),
    },
    {
      header: "Used",
      nowrap: true,
      phone: "max-md:col-start-1 max-md:row-start-3 max-md:self-center",
      cell: ({ used, limitTotal }) => (
        <>
          <span className="text-ink-muted md:hidden">Used </span>
          {used.toLocaleString("en-US")}
          {limitTotal !== null && ` of ${limitTotal.toLocaleString("en-US")}`}
        </>
      ),
    },
    {
      header: "State",
      phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center max-md:justify-self-end",
      cell: (discount) => {
        const { label, tone } = states[discountState(discount, new Date(now))];
        return <Badge tone={tone}>{label}</Badge>;
      },
    },
    {
      header: "On",
      phone: `max-md:col-start-2 max-md:row-start-3 max-md:-mr-3 max-md:justify-self-end ${aboveRowLinkClass}`,
      cell: (discount) => <DiscountSwitch discount={discount} />,
    },
  ];
  return (
    <DataTable
      caption="Discount codes"
      columns={columns}
      rows={discounts}
      empty={
        <EmptyState
          boxed
          glyph={TicketPercent}
          title="No discount codes yet"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <ButtonLink size="small" to="/admin/discounts/new" state={{ keepsFocus: true }}>
                New discount
              </ButtonLink>
              <ImportLink kind="discounts" />
            </div>
          }
        >
          A code takes a percentage, an amount or the shipping off an order. Shoppers who have one enter it at
          checkout; nobody else sees it. A discount can also apply automatically.
        </EmptyState>
      }
    />
  );
}

/** Turns a discount on or off. Shows the new state immediately, and the old state again if the server refuses. */
function DiscountSwitch({ discount: { id, code, active } }: { discount: AdminDiscount }) {
  const action = useAdminAction("PATCH /api/admin/discounts/:id", {
    failure: `${code} could not be switched`,
  });
  const [isOn, setOn] = useState(active);
  return (
    <Switch
      name={`active-${id}`}
      label={<span className="sr-only">{code} can be used</span>}
      checked={action.busy ? isOn : active}
      disabled={action.busy}
      onChange={(next) => {
        setOn(next);
        void action.run({
          params: { id },
          body: { active: next },
          success: { title: next ? `${code} is on` : `${code} is off` },
        });
      }}
    />
  );
}
