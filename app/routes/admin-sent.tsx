import SearchX from "lucide-react/icons/search-x";
import Send from "lucide-react/icons/send";
import {
  Link,
  Outlet,
  useLocation,
  useNavigate,
  useParams,
  useRouteLoaderData,
  useSearchParams,
} from "react-router";
import {
  type MessageKind,
  messageChannels,
  messageKindLabels,
  messageKinds,
  messageStatuses,
  type OutboxEntry,
  type OutboxPage,
} from "../../domain/outbox/outbox.ts";
import { capitalize } from "../../domain/shared/capitalize.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { type Column, DataTable, rowLink } from "../features/admin/kit/list/data-table.tsx";
import { FilterBar, type FilterGroup } from "../features/admin/kit/list/filter-bar.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { SearchField } from "../features/admin/kit/list/search-field.tsx";
import { withParam } from "../features/admin/kit/list/search-params.ts";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { MessageStateCell, recipientText, unsentReason } from "../features/admin/outbox/message-state.tsx";
import { useMayOpen } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { EmailAddress } from "../ui/email-address.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { Options, SelectBox } from "../ui/field.tsx";
import type { Route } from "./+types/admin-sent";
import type { loader as panelLoader } from "./admin.tsx";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sent messages");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/outbox", { query: outboxQuery(new URL(request.url).searchParams) }),
);

export default function AdminSent({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <SentPage page={loaderData} />
      <Outlet />
    </>
  );
}

export const ErrorBoundary = problemPage("Messages", "Failed to load sent messages");

const pageSize = "50";
const filterValues: Record<string, readonly string[]> = {
  status: messageStatuses,
  channel: messageChannels,
  kind: messageKinds,
};

/** The API query for the page's URL; omits unknown values. */
function outboxQuery(search: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = { limit: pageSize };
  for (const [name, values] of Object.entries(filterValues)) {
    const value = search.get(name);
    if (value !== null && values.includes(value)) query[name] = value;
  }
  for (const name of ["q", "cursor"]) {
    const value = search.get(name);
    if (value) query[name] = value;
  }
  return query;
}

/** All outgoing e-mails and texts, including those that are queued, have failed, or were only stored. */
function SentPage({ page }: { page: OutboxPage }) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { id: openId } = useParams();
  useRefreshWhile(page.data.some(({ status }) => status === "queued"));
  const isFiltered = ["status", "channel", "kind", "q"].some((name) => params.has(name));
  return (
    <AdminPage title="Messages">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchField label="Search sent messages" placeholder="Email, order number" />
        <FilterBar groups={filters} more={<KindFilter />} moreParams={["kind"]} />
      </div>
      <NoMailServer />
      <DataTable
        caption="Sent messages"
        rows={page.data}
        isCurrent={({ id }) => id === openId}
        columns={sentColumns(search)}
        empty={
          <EmptyState
            boxed
            glyph={isFiltered ? SearchX : Send}
            title={isFiltered ? "Nothing found" : "Nothing sent yet"}
          >
            {isFiltered
              ? params.has("q")
                ? "No email or text matches. Search for a whole email address or an order number."
                : "No email or text is in this list just now."
              : "Every email and text from the shop, with its state and content."}
          </EmptyState>
        }
      />
      <Pager nextCursor={page.nextCursor} shown={[page.data.length, "message"]} />
    </AdminPage>
  );
}

function NoMailServer() {
  const panel = useRouteLoaderData<typeof panelLoader>("routes/admin");
  const mayOpenKeys = useMayOpen()("/admin/settings/keys");
  if (panel?.mailIsSet !== false) return null;
  return (
    <Banner tone="info" title="No mail server is set." className="mb-4">
      Emails are kept here and not sent.{" "}
      {mayOpenKeys && (
        <Link className="link" to="/admin/settings/keys#mail">
          Set up email
        </Link>
      )}
    </Banner>
  );
}

const filters: FilterGroup[] = [
  {
    title: "State",
    label: "Filter by state",
    param: "status",
    options: [
      { value: null, label: "All" },
      { value: "failed", label: "Failed" },
      { value: "queued", label: "Waiting" },
      { value: "kept", label: "Kept" },
      { value: "skipped", label: "Not sent" },
    ],
  },
  {
    title: "Channel",
    label: "Filter by channel",
    param: "channel",
    options: [
      { value: null, label: "Both" },
      { value: "email", label: "Emails" },
      { value: "sms", label: "Texts" },
    ],
  },
];

const isToOwner = (kind: MessageKind) => kind.startsWith("owner_") || kind.startsWith("test_");
const groups = [
  { label: "To customers", kinds: messageKinds.filter((kind) => !isToOwner(kind)) },
  { label: "To you", kinds: messageKinds.filter(isToOwner) },
];

/** Filters by the kind of e-mail or text; a select, because there are too many kinds for a row of links. */
function KindFilter() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const kind = search.get("kind");
  return (
    <SelectBox
      aria-label="Filter by kind"
      value={messageKinds.some((messageKind) => messageKind === kind) ? (kind ?? "") : ""}
      className="min-h-11! w-auto! max-w-full py-2! text-small!"
      onChange={(event) =>
        void navigate(withParam(search, "kind", event.target.value), {
          preventScrollReset: true,
          state: { keepsFocus: true },
        })
      }
    >
      <option value="">Every kind</option>
      {groups.map(({ label, kinds }) => (
        <optgroup key={label} label={label}>
          <Options of={kinds.map((messageKind) => [messageKind, messageKindLabels[messageKind]])} />
        </optgroup>
      ))}
    </SelectBox>
  );
}

/** `search`: query string with the list's filters, which stays in the URL while a message is open. */
function sentColumns(search: string): Column<OutboxEntry>[] {
  return [
    {
      header: "Message",
      phone: "max-md:col-start-1 max-md:row-start-1 xl:min-w-40 min-[84rem]:min-w-52",
      cell: (entry) => (
        <>
          <Link
            to={`/admin/messages/sent/${entry.id}${search}`}
            preventScrollReset
            state={{ keepsFocus: true }}
            {...rowLink}
          >
            {messageKindLabels[entry.kind]}
          </Link>
          {entry.copyOf !== null && <span className="block text-caption text-ink-muted">Sent again</span>}
        </>
      ),
    },
    {
      header: "To",
      phone: "max-md:col-span-2 max-md:row-start-2",
      cell: (entry) => (
        <span className="wrap-anywhere xl:block xl:min-w-48">
          <EmailAddress>{recipientText(entry)}</EmailAddress>
          {entry.orderNumber !== null && (
            <span className="block text-caption text-ink-muted">Order #{entry.orderNumber}</span>
          )}
        </span>
      ),
    },
    {
      header: "State",
      phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center",
      nowrap: true,
      cell: (entry) => <MessageStateCell state={entry} />,
    },
    {
      header: "Tries",
      align: "right",
      phone: "max-md:hidden",
      cell: (entry) => entry.attempts > 1 && entry.attempts,
    },
    {
      header: "Last problem",
      phone: "max-md:col-span-2 max-md:row-start-4 max-md:empty:sr-only",
      cell: (entry) =>
        entry.lastError && (
          <span className="line-clamp-3 text-small wrap-anywhere text-danger xl:min-w-48">
            {capitalize(unsentReason(entry.lastError))}
          </span>
        ),
    },
    {
      header: "Written",
      nowrap: true,
      phone: "max-md:col-span-2 max-md:row-start-3 max-md:text-small max-md:text-ink-muted",
      cell: (entry) => <ShortDay iso={entry.createdAt} withTime />,
    },
  ];
}
