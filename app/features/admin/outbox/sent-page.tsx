import Send from "lucide-react/icons/send";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router";
import type { OutboxPage } from "../../../../domain/outbox/outbox.ts";
import { type MessageKind, messageKindLabels, messageKinds } from "../../../../domain/outbox/outbox.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SelectBox } from "../../../ui/select.tsx";
import { MessagesNav } from "../contact/messages-nav.tsx";
import { withParam } from "../kit/address.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { DataTable } from "../kit/data-table.tsx";
import { FilterBar, type FilterGroup } from "../kit/filter-bar.tsx";
import { Pager } from "../kit/pager.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { sentColumns } from "./sent-columns.tsx";
import { useRefreshWhile } from "./use-refresh-while.ts";

/** All outgoing e-mails and texts, including queued, failed and stored-only ones. */
export function SentPage({ page }: { page: OutboxPage }) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { id: openId } = useParams();
  useRefreshWhile(page.data.some(({ status }) => status === "queued" || status === "sending"));
  const isFiltered = ["status", "channel", "kind", "q"].some((name) => params.has(name));
  return (
    <AdminPage title="Messages">
      <MessagesNav />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <FilterBar groups={filters} more={<KindFilter />} moreParams={["kind"]} />
        <SearchField label="Search sent messages" placeholder="Email address or order number" />
      </div>
      <DataTable
        caption="Sent messages"
        rows={page.data}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === openId}
        columns={sentColumns(search)}
        empty={
          <EmptyState boxed glyph={Send} title={isFiltered ? "Nothing found" : "Nothing sent yet"}>
            {isFiltered
              ? params.has("q")
                ? "No email or text fits. The search takes a whole email address or an order’s number."
                : "No email or text is in this list just now."
              : "Every email and text from the shop, with its state and what it said."}
          </EmptyState>
        }
      />
      {page.data.length > 0 && (
        <Pager nextCursor={page.nextCursor}>
          {page.data.length} {page.data.length === 1 ? "message" : "messages"}
          {page.nextCursor !== null || params.has("cursor") ? " on this page" : ""}
        </Pager>
      )}
    </AdminPage>
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

/** One kind of e-mail or text alone, by a parameter of the address: there are too many for a row of links. */
function KindFilter() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const kind = search.get("kind");
  return (
    <SelectBox
      aria-label="Filter by kind"
      value={messageKinds.some((one) => one === kind) ? (kind ?? "") : ""}
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
          {kinds.map((one) => (
            <option key={one} value={one}>
              {messageKindLabels[one]}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectBox>
  );
}
