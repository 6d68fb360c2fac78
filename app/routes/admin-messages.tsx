import ArrowLeft from "lucide-react/icons/arrow-left";
import Check from "lucide-react/icons/check";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash-2";
import { Link, useLocation, useNavigate, useOutlet, useParams, useSearchParams } from "react-router";
import type { InboxCounts, InboxMessage } from "../../domain/contact/inbox.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { MessageList, NoMessages } from "../features/admin/contact/message-list.tsx";
import { deleteReplyDraft } from "../features/admin/contact/reply-draft.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, backClass, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { FilterBar } from "../features/admin/kit/list/filter-bar.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ChoiceBox, SelectionBar, useRowSelection } from "../features/admin/kit/list/row-selection.tsx";
import { SearchField } from "../features/admin/kit/list/search-field.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Icon } from "../ui/icon.tsx";
import type { ToastMessage } from "../ui/toast.tsx";
import type { Route } from "./+types/admin-messages";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Messages");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/messages", { query: inboxQuery(new URL(request.url).searchParams) }),
);

/** The inbox: the list with the open message beside it; phones show only one of them. */
export default function AdminMessages({ loaderData: page }: Route.ComponentProps) {
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { id: openId } = useParams();
  const message = useOutlet();
  const navigate = useNavigate();
  const selection = useRowSelection(page.data.map(({ id }) => id));
  const isEmpty = page.data.length === 0;
  const hiddenClass = openId === undefined ? "" : "max-lg:hidden";
  return (
    <AdminPage title="Messages">
      <div className={hiddenClass}>
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <FilterBar
            groups={[
              { title: "Messages", label: "Filter messages", param: "show", options: filters(page.counts) },
            ]}
          />
          <SearchField label="Search messages" placeholder="Name, email, words or M-1001" />
        </div>
        {selection.ids.length > 0 && (
          <SelectedMessages
            messages={page.data.filter(({ id }) => selection.has(id))}
            onDeleted={(ids) => {
              if (openId !== undefined && ids.includes(openId)) void navigate(`/admin/messages${search}`);
            }}
          />
        )}
      </div>
      {openId !== undefined && (
        <Link to={`/admin/messages${search}`} className={`${backClass} -mt-3 mb-2 lg:hidden`}>
          <Icon glyph={ArrowLeft} size="small" /> All messages
        </Link>
      )}
      {isEmpty && openId === undefined ? (
        <NoMessages show={params.get("show")} q={params.get("q")} />
      ) : (
        <div className="stack overflow-clip rounded-md border border-line bg-surface lg:grid-cols-[22rem_minmax(0,1fr)]">
          <section aria-label="List of messages" className={`lg:border-r lg:border-line ${hiddenClass}`}>
            {isEmpty ? (
              <p className="p-5 text-small text-ink-muted">No other messages here.</p>
            ) : (
              <>
                <div className="border-b border-line bg-cream-soft">
                  <ChoiceBox
                    label="Select all on this page"
                    text={<span className="text-caption font-semibold text-ink-muted">All on this page</span>}
                    className="pl-4"
                    checked={selection.isAllSelected}
                    isIndeterminate={selection.ids.length > 0}
                    onChange={selection.toggleAll}
                  />
                </div>
                <MessageList messages={page.data} openId={openId} search={search} selection={selection} />
              </>
            )}
          </section>
          {/* The open message stays in view while a long list scrolls. */}
          <div className="min-w-0 lg:sticky lg:top-0 lg:max-h-svh lg:self-start lg:overflow-y-auto">
            {message ?? (
              <p className="px-8 py-24 text-center text-ui text-ink-muted max-lg:hidden">
                Choose a message to read it.
              </p>
            )}
          </div>
        </div>
      )}
      <div className={hiddenClass}>
        <Pager nextCursor={page.nextCursor} shown={[page.data.length, "message"]} />
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Messages", "Failed to load messages");

const pageSize = 25;

/** The API query of each list of the inbox, by the value of `?show=`. */
const lists: Record<string, { status?: string; suspicious?: boolean }> = {
  open: { status: "open", suspicious: false },
  done: { status: "done" },
  suspicious: { suspicious: true },
  all: {},
};

/** API query for the inbox's URL. An unknown list is treated as the list of open messages. */
function inboxQuery(search: URLSearchParams) {
  const list = lists[search.get("show") ?? "open"] ?? lists.open;
  return { ...list, q: search.get("q") || null, cursor: search.get("cursor") || null, limit: pageSize };
}

function filters({ open, suspicious }: InboxCounts) {
  return [
    { value: null, label: "Open", ...(open > 0 ? { count: open } : {}) },
    { value: "done", label: "Done" },
    { value: "suspicious", label: "Suspicious", ...(suspicious > 0 ? { count: suspicious } : {}) },
    { value: "all", label: "All" },
  ];
}

/**
 * Bulk actions for the selected messages, each in a single API call. `onDeleted` receives the ids of the deleted
 * messages.
 */
function SelectedMessages({
  messages,
  onDeleted,
}: {
  messages: InboxMessage[];
  onDeleted: (ids: string[]) => void;
}) {
  const mark = useAdminAction("PATCH /api/admin/messages");
  const ids = messages.map(({ id }) => id);
  // If all selected messages are done, the button reopens them.
  const isDone = messages.every(({ status }) => status === "done");
  return (
    <SelectionBar text={`${countText(ids.length)} selected`}>
      <PanelButton
        busy={mark.busy}
        busyText={isDone ? "Reopening..." : "Marking..."}
        onClick={() =>
          void mark.run({
            body: { ids, status: isDone ? "open" : "done" },
            success: ({ data }) => ({
              title: `${countText(data.ids.length)} ${isDone ? "reopened" : "marked as done"}`,
            }),
          })
        }
      >
        <Icon glyph={isDone ? RotateCcw : Check} size="small" /> {isDone ? "Reopen" : "Mark as done"}
      </PanelButton>
      <ButtonWithConfirmation
        label={
          <>
            <Icon glyph={Trash2} size="small" /> Delete
          </>
        }
        disabled={mark.busy}
        title={`Delete ${countText(ids.length)}?`}
        description="The messages, your answers to them and the emails about them in Sent are deleted for good. Emails that were delivered stay where they are."
        confirmLabel={`Delete ${countText(ids.length)}`}
        busyText="Deleting..."
        call="POST /api/admin/messages/delete"
        success={({ data }) => deletedToast(data)}
        send={(run) => run({ body: { ids }, timeoutMs: 60_000 })}
        onDone={({ data: { deleted } }) => {
          deleted.forEach(deleteReplyDraft);
          onDeleted(deleted);
        }}
      />
    </SelectionBar>
  );
}

function deletedToast({ deleted, busy }: { deleted: string[]; busy: string[] }): ToastMessage {
  const title = `${countText(deleted.length)} deleted`;
  if (busy.length === 0) return { title };
  const keptText = busy.length === 1 ? "1 message stays" : `${busy.length} messages stay`;
  return {
    title,
    tone: "danger",
    description: `${keptText}: an email about it is being sent just now. Try again in a minute.`,
  };
}

function countText(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
