import MailPlus from "lucide-react/icons/mail-plus";
import SearchX from "lucide-react/icons/search-x";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Subscriber } from "../../domain/newsletter/newsletter.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ImportLink } from "../features/admin/imports/import-link.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ConfirmCall } from "../features/admin/kit/confirm-dialog.tsx";
import { CsvLink } from "../features/admin/kit/list/csv-link.tsx";
import { DataTable } from "../features/admin/kit/list/data-table.tsx";
import { FilterBar } from "../features/admin/kit/list/filter-bar.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { SearchField } from "../features/admin/kit/list/search-field.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { TextButton } from "../ui/text-button.tsx";
import type { Route } from "./+types/admin-subscribers";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Subscribers");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const query = { state: params.get("state"), q: params.get("q"), cursor: params.get("cursor") };
  return read("GET /api/admin/subscribers", { query });
});

const states = {
  confirmed: { label: "Subscribed", tone: "green" },
  unconfirmed: { label: "Not confirmed", tone: "yellow" },
  unsubscribed: { label: "Unsubscribed", tone: "cream" },
} as const;
const endReasons = {
  unsubscribed: "Unsubscribed",
  bounced: "Bounced",
  complained: "Reported as spam",
  erased: "Data deleted",
};
const places = { footer: "Page footer", success: "After paying", import: "Imported" };

/** Newsletter subscribers with the proof of their consent. */
export default function AdminSubscribers({ loaderData: { data, counts, nextCursor } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const [subscriberToRemove, setSubscriberToRemove] = useState<Subscriber | null>(null);
  const filters = new URLSearchParams([...search].filter(([name]) => name === "q" || name === "state"));
  // Most have agreed to the same sentence, so it is shown once.
  const usualText = data.find(({ place }) => place !== "import")?.consentText;
  return (
    <AdminPage
      title="Subscribers"
      actions={
        <>
          <ImportLink kind="subscribers" />
          <CsvLink href={`/api/admin/subscribers.csv?${filters}`} />
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <FilterBar
          groups={[
            {
              title: "Subscribers",
              label: "Filter subscribers",
              param: "state",
              options: [
                { value: null, label: "All" },
                { value: "confirmed", label: "Subscribed", count: counts.confirmed },
                { value: "unconfirmed", label: "Not confirmed", count: counts.unconfirmed },
                { value: "unsubscribed", label: "Unsubscribed", count: counts.unsubscribed },
              ],
            },
          ]}
        />
        <SearchField label="Search subscribers" placeholder="Email" />
      </div>
      <DataTable<Subscriber>
        caption="Subscribers, newest first"
        rows={data}
        empty={
          filters.size > 0 ? (
            <EmptyState glyph={SearchX} heading="h2" title="No subscribers found" boxed>
              <p className="wrap-anywhere">
                {filters.has("q")
                  ? `No subscriber matches “${filters.get("q")}”. Search by email.`
                  : "No subscriber matches this filter."}
              </p>
            </EmptyState>
          ) : (
            <EmptyState glyph={MailPlus} heading="h2" title="No subscribers yet" boxed>
              People who sign up in a page’s footer or after paying are listed here and get your newsletters.
            </EmptyState>
          )
        }
        columns={[
          {
            header: "Email",
            grows: true,
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: ({ email, consentText, place }) => (
              <>
                <span className="font-medium wrap-anywhere">{email}</span>
                {consentText !== usualText && (
                  <span className="block text-small wrap-anywhere text-ink-muted">
                    {place === "import" ? consentText : `“${consentText}”`}
                  </span>
                )}
              </>
            ),
          },
          {
            header: "State",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:text-right",
            cell: ({ state, endReason }) => (
              <Badge tone={states[state].tone}>
                {(endReason && endReasons[endReason]) ?? states[state].label}
              </Badge>
            ),
          },
          {
            header: "Signed up",
            nowrap: true,
            phone: "max-md:col-start-1 max-md:row-start-2 max-md:text-ink-muted",
            cell: ({ askedAt, place }) => (
              <span className="text-small">
                <span className="md:hidden">Signed up </span>
                <ShortDay iso={askedAt} />
                <span className="md:hidden">, </span>
                <span className="text-ink-muted max-md:lowercase md:block">{places[place]}</span>
              </span>
            ),
          },
          {
            header: "Confirmed",
            nowrap: true,
            phone: "max-md:col-start-1 max-md:row-start-3 max-md:text-ink-muted",
            cell: ({ confirmedAt, confirmedNetwork, unsubscribedAt, endReason }) => (
              <span className="text-small">
                {confirmedAt === null ? (
                  <span className="max-md:hidden">No</span>
                ) : (
                  <>
                    <span className="md:hidden">Confirmed </span>
                    <ShortDay iso={confirmedAt} />
                  </>
                )}
                {confirmedNetwork && (
                  <span className="block text-ink-muted max-md:hidden">from {confirmedNetwork}</span>
                )}
                {unsubscribedAt && (
                  <span className="block text-ink-muted first-letter:uppercase">
                    {endReason === "unsubscribed" ? "left" : "ended"} <ShortDay iso={unsubscribedAt} />
                  </span>
                )}
              </span>
            ),
          },
          {
            key: "remove",
            header: <span className="sr-only">Remove</span>,
            phone:
              "max-md:col-start-2 max-md:row-start-2 max-md:row-span-2 max-md:self-end max-md:justify-self-end",
            cell: (subscriber) => (
              <TextButton onClick={() => setSubscriberToRemove(subscriber)}>
                Remove<span className="sr-only"> {subscriber.email}</span>
              </TextButton>
            ),
          },
        ]}
      />
      {usualText && (
        <p className="mt-3 text-small text-ink-muted">
          {data.every(({ consentText }) => consentText === usualText) ? "All of these" : "The others"} agreed
          to “{usualText}”
        </p>
      )}
      <Pager nextCursor={nextCursor} />
      {subscriberToRemove && (
        <ConfirmCall
          call="DELETE /api/admin/subscribers/:id"
          success={{ title: "Subscriber removed" }}
          title="Remove this subscriber?"
          description={`${subscriberToRemove.email} gets no more newsletters from you, and the record of its consent is deleted. This can’t be undone. A program that sends your newsletters has its own list.`}
          confirmLabel="Remove subscriber"
          busyText="Removing..."
          send={(run) => run({ params: { id: String(subscriberToRemove.id) } })}
          onClose={() => setSubscriberToRemove(null)}
        />
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Subscribers", "Failed to load subscribers");
