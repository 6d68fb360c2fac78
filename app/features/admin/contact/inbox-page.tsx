import ChevronLeft from "lucide-react/icons/chevron-left";
import { Link, useLocation, useNavigate, useOutlet, useParams, useSearchParams } from "react-router";
import type { InboxCounts, InboxPage } from "../../../../domain/contact/inbox.ts";
import { Icon } from "../../../ui/icon.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ChoiceBox } from "../kit/choice-box.tsx";
import { FilterBar } from "../kit/filter-bar.tsx";
import { Pager } from "../kit/pager.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { useChosen } from "../kit/use-chosen.ts";
import { ChosenMessages } from "./chosen-messages.tsx";
import { MessageList, NoMessages } from "./message-list.tsx";
import { MessagesNav } from "./messages-nav.tsx";

/** The inbox: the list with the open message beside it; phones show only one of them. */
export function InboxView({ page }: { page: InboxPage }) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { id: openId } = useParams();
  const message = useOutlet();
  const navigate = useNavigate();
  const chosen = useChosen(page.data.map(({ id }) => id));
  const isEmpty = page.data.length === 0;
  const besideList = openId === undefined ? "" : "max-lg:hidden";
  return (
    <AdminPage title="Messages">
      <div className={besideList}>
        <MessagesNav />
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <FilterBar
            groups={[
              { title: "Messages", label: "Filter messages", param: "show", options: filters(page.counts) },
            ]}
          />
          <SearchField label="Search messages" placeholder="Name, email, words or M-1001" />
        </div>
        {chosen.ids.length > 0 && (
          <ChosenMessages
            messages={page.data.filter(({ id }) => chosen.has(id))}
            onGone={(ids) => {
              if (openId !== undefined && ids.includes(openId)) void navigate(`/admin/messages${search}`);
            }}
          />
        )}
      </div>
      {openId !== undefined && (
        <Link
          to={`/admin/messages${search}`}
          className="link -mt-3 mb-2 inline-flex min-h-11 items-center gap-1.5 text-small lg:hidden"
        >
          <Icon glyph={ChevronLeft} size="small" /> All messages
        </Link>
      )}
      {isEmpty && openId === undefined ? (
        <NoMessages show={params.get("show")} q={params.get("q")} />
      ) : (
        <div className="grid overflow-clip rounded-md border border-line bg-surface grid-cols-[minmax(0,1fr)] lg:grid-cols-[22rem_minmax(0,1fr)]">
          <section aria-label="List of messages" className={`lg:border-r lg:border-line ${besideList}`}>
            {isEmpty ? (
              <p className="p-5 text-small text-ink-muted">No other messages here.</p>
            ) : (
              <>
                <div className="border-b border-line bg-cream-soft">
                  <ChoiceBox
                    label="Choose all on this page"
                    words={
                      <span className="text-caption font-semibold text-ink-muted">All on this page</span>
                    }
                    className="pl-4"
                    checked={chosen.isAll}
                    isPartly={chosen.ids.length > 0}
                    onChange={chosen.toggleAll}
                  />
                </div>
                <MessageList messages={page.data} openId={openId} search={search} chosen={chosen} />
              </>
            )}
          </section>
          {/* A long list scrolls past the message that is read beside it. */}
          <div className="min-w-0 lg:sticky lg:top-0 lg:max-h-svh lg:self-start lg:overflow-y-auto">
            {message ?? (
              <p className="px-8 py-24 text-center text-ui text-ink-muted max-lg:hidden">
                Choose a message to read it.
              </p>
            )}
          </div>
        </div>
      )}
      <div className={besideList}>
        {!isEmpty && (
          <Pager nextCursor={page.nextCursor}>
            {page.data.length} {page.data.length === 1 ? "message" : "messages"}
            {page.nextCursor !== null || params.has("cursor") ? " on this page" : ""}
          </Pager>
        )}
      </div>
    </AdminPage>
  );
}

function filters({ open, suspicious }: InboxCounts) {
  return [
    { value: null, label: "Open", ...(open > 0 ? { count: open } : {}) },
    { value: "done", label: "Done" },
    { value: "suspicious", label: "Suspicious", ...(suspicious > 0 ? { count: suspicious } : {}) },
    { value: "all", label: "All" },
  ];
}
