import Mails from "lucide-react/icons/mails";
import Plus from "lucide-react/icons/plus";
import { Link, useNavigate } from "react-router";
import {
  type AutomaticFigures,
  type AutomaticKind,
  automaticDays,
  type Campaign,
} from "../../domain/campaigns/campaign.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { CampaignBadge, wasOnlyStored } from "../features/admin/campaigns/campaign-results.tsx";
import { ActionButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { type Column, DataTable, rowLink } from "../features/admin/kit/list/data-table.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-campaigns";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Newsletters");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/campaigns", { query: { cursor: new URL(request.url).searchParams.get("cursor") } }),
);

export default function AdminCampaigns({
  loaderData: { data, automatic, nextCursor },
}: Route.ComponentProps) {
  return (
    <AdminPage title="Newsletters" actions={data.length > 0 && <NewCampaign />}>
      <DataTable<Campaign>
        caption="Newsletters, newest first"
        rows={data}
        columns={[subjectColumn, stateColumn, ...figureColumns]}
        empty={
          <EmptyState boxed glyph={Mails} title="No newsletters yet" action={<NewCampaign />}>
            Write to everybody who has confirmed a sign-up, or to some of them. Emails about orders are sent
            first.
          </EmptyState>
        }
      />
      <Pager nextCursor={nextCursor} />
      <section aria-labelledby="automatic" className="mt-10 grid gap-3">
        <h2 id="automatic" className="text-h3">
          Sent automatically
        </h2>
        <DataTable<AutomaticFigures>
          caption="Emails that are sent automatically"
          rows={automatic}
          rowKey={({ kind }) => kind}
          columns={[automaticNameColumn, ...figureColumns]}
          empty={null}
        />
        <p className="text-small text-ink-muted">
          Orders placed within seven days of the email, for newsletters with the newsletter’s code. Last{" "}
          {automaticDays} days.
        </p>
      </section>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Newsletters", "Failed to load newsletters");

function NewCampaign() {
  const navigate = useNavigate();
  return (
    <ActionButton
      variant="primary"
      call="POST /api/admin/campaigns"
      failure="The newsletter was not created"
      busyText="Opening..."
      send={async (run) => {
        const response = await run({ body: {}, reloads: false });
        if (response.ok) await navigate(`/admin/campaigns/${response.body.data.id}`);
      }}
    >
      <Icon glyph={Plus} size="small" /> New newsletter
    </ActionButton>
  );
}

const count = (number: number) => number.toLocaleString("en-US");

const subjectColumn: Column<Campaign> = {
  header: "Subject",
  grows: true,
  phone: "max-md:col-start-1 max-md:row-start-1",
  cell: ({ id, subject, scheduledAt, startedAt, createdAt, ...figures }) => (
    <span className="block min-w-0 wrap-anywhere">
      <Link to={`/admin/campaigns/${id}`} {...rowLink}>
        {subject || "Without a subject"}
      </Link>
      <span className="block text-small text-ink-muted md:max-lg:*:whitespace-normal">
        <ShortDay
          iso={startedAt ?? scheduledAt ?? createdAt}
          withTime={startedAt !== null || scheduledAt !== null}
        />
      </span>
      {startedAt !== null && <PhoneFigures {...figures} word={wasOnlyStored(figures) ? "kept" : "sent"} />}
    </span>
  ),
};

const stateColumn: Column<Campaign> = {
  header: "State",
  phone: "max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end",
  cell: (campaign) => <CampaignBadge campaign={campaign} />,
};

const automaticNames: Record<AutomaticKind, { name: string; to: string }> = {
  newsletter_welcome: { name: "Welcome", to: "/admin/content/emails/newsletter_welcome" },
  refill_reminder: { name: "Refill reminder", to: "/admin/content/emails/refill_reminder" },
  cart_reminder: { name: "Cart reminder", to: "/admin/content/emails/cart_reminder" },
};

const automaticNameColumn: Column<AutomaticFigures> = {
  header: "Email",
  grows: true,
  phone: "max-md:col-span-2 max-md:row-start-1",
  cell: ({ kind, ...figures }) => (
    <>
      <Link to={automaticNames[kind].to} {...rowLink}>
        {automaticNames[kind].name}
      </Link>
      <PhoneFigures {...figures} />
    </>
  ),
};

type Figures = Omit<AutomaticFigures, "kind">;

/** A column of results, which shows a dash until an e-mail has been sent. */
function figureColumn(header: string, figure: Column<Figures>["cell"]): Column<Figures> {
  const cell: Column<Figures>["cell"] = (row) => (
    // A minimum width, so that the columns of both tables have the same width.
    <span className="inline-block min-w-15">
      {row.sent + row.bounced === 0 ? <span className="text-ink-muted">–</span> : figure(row)}
    </span>
  );
  return { header, align: "right", phone: "max-md:hidden", cell };
}

const figureColumns: Column<Figures>[] = [
  figureColumn("Recipients", ({ recipients }) => count(recipients)),
  figureColumn("Sent", ({ sent }) => count(sent)),
  figureColumn("Bounced", ({ bounced }) => count(bounced)),
  figureColumn("Unsubscribed", ({ left }) => (left === null ? "–" : count(left))),
  figureColumn("Orders", ({ orders }) => count(orders)),
  figureColumn("Revenue", ({ revenue }) => formatCents(revenue)),
];

/** The results in words, for phones. */
function PhoneFigures({
  recipients,
  sent,
  bounced,
  left,
  orders,
  revenue,
  word = "sent",
}: Figures & { word?: string }) {
  return (
    <span className="block text-small text-ink-muted md:hidden">
      {sent + bounced === 0 ? "None sent yet" : `${count(sent)} of ${count(recipients)} ${word}`}
      {bounced > 0 && `, ${count(bounced)} bounced`}
      {left !== null && left > 0 && `, ${count(left)} unsubscribed`}
      {orders > 0 && `; ${count(orders)} ${orders === 1 ? "order" : "orders"}, ${formatCents(revenue)}`}
    </span>
  );
}
