import FilePlus from "lucide-react/icons/file-plus";
import Plus from "lucide-react/icons/plus";
import { Link } from "react-router";
import type { DraftRow } from "../../domain/drafts/draft.ts";
import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { draftLabels } from "../features/admin/drafts/draft-labels.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { type Column, DataTable, rowLink } from "../features/admin/kit/list/data-table.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-drafts";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Draft orders");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/drafts", { query: { cursor: uuidParam(request, "cursor") } }),
);

export default function AdminDrafts({ loaderData: { data, nextCursor } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Draft orders"
      back={{ to: "/admin/orders", label: "Orders" }}
      actions={data.length > 0 && <NewDraft />}
    >
      <DataTable
        caption="Draft orders"
        rows={data}
        columns={columns}
        empty={
          <EmptyState boxed glyph={FilePlus} title="No drafts yet" action={<NewDraft />}>
            Write an order for a customer on the phone or in person. Send them a link to pay it, or record
            what they paid.
          </EmptyState>
        }
      />
      {data.length > 0 && (
        <Pager nextCursor={nextCursor}>{data.length === 1 ? "1 draft" : `${data.length} drafts`}</Pager>
      )}
    </AdminPage>
  );
}

function NewDraft() {
  return (
    <ButtonLink size="small" to="/admin/drafts/new">
      <Icon glyph={Plus} size="small" /> New draft
    </ButtonLink>
  );
}

const columns: Column<DraftRow>[] = [
  {
    header: "Customer",
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ id, customerName, email }) => (
      <>
        <Link to={`/admin/drafts/${id}`} {...rowLink}>
          {customerName}
        </Link>
        <span className="block text-small wrap-anywhere text-ink-muted">{email}</span>
      </>
    ),
  },
  {
    header: "Units",
    align: "right",
    nowrap: true,
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end",
    cell: ({ units }) => (units === 1 ? "1 unit" : `${units} units`),
  },
  {
    header: "Changed",
    nowrap: true,
    phone: "max-md:col-start-1 max-md:row-start-2 max-md:text-small max-md:text-ink-muted",
    cell: ({ changedAt }) => <ShortDay iso={changedAt} />,
  },
  {
    header: "State",
    phone: "max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end",
    cell: ({ status, order }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Badge tone={draftLabels[status].tone}>{draftLabels[status].label}</Badge>
        {order && <span className="text-small text-ink-muted">#{order.number}</span>}
      </span>
    ),
  },
];

export const ErrorBoundary = problemPage("Draft orders", "The drafts could not be loaded");
