import type { LucideIcon } from "lucide-react";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleCheck from "lucide-react/icons/circle-check";
import MailWarning from "lucide-react/icons/mail-warning";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import type { Issue } from "../../../../domain/admin/admin.ts";
import { timeLeft } from "../../../../domain/disputes/evidence.ts";
import { mailOutageSentence } from "../../../../domain/outbox/mail-outage.ts";
import type { ToDo, Waiting } from "../../../../domain/overview/to-do.ts";
import { capitalize } from "../../../../domain/shared/capitalize.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { IssueList } from "../issues/issue-list.tsx";
import { useShopZone } from "../kit/short-day.tsx";
import { useMayOpen } from "../rights.ts";

type Item = {
  key: string;
  count: number;
  /** Shown in place of the count, for entries that are not counted. */
  glyph?: LucideIcon;
  label: string;
  reason: ReactNode;
  /** Label of the entry's action. */
  action: string;
  to: string;
  /** Route pattern of the page behind `to`, if some roles may not open it. */
  page?: string;
};

/** Number of lines shown; more would push the figures off the first screen, so the others are collapsed. */
const maxShown = 6;

/** Everything that needs action, the most urgent first: each line a count, a reason and one action. `now`: ISO 8601. */
export function ToDoList({ toDo, issues, now }: { toDo: ToDo; issues: Issue[]; now: string }) {
  const mayOpen = useMayOpen();
  const timeZone = useShopZone();
  const mayShip = mayOpen("/admin/ship-next");
  const items = toDoItems(toDo, now, {
    mayShip,
    mayOpenKeys: mayOpen("/admin/settings/keys"),
    timeZone,
  }).filter(({ page }) => page === undefined || mayOpen(page));
  // A disclosure around one line would need as much space as the line.
  const firstItems = items.length === maxShown + 1 ? items : items.slice(0, maxShown);
  const otherItems = items.slice(firstItems.length);
  return (
    <section aria-labelledby="to-do" className="grid grid-rows-[auto_1fr]">
      <h2 id="to-do" className="mb-2.5 flex min-h-11 items-center text-h3 xl:min-h-12.5">
        To do first
      </h2>
      {items.length === 0 ? (
        <p className="flex items-center gap-2.5 rounded-md border border-line bg-surface px-5 py-4 text-ink-muted">
          <Icon glyph={CircleCheck} className="text-success" /> Nothing needs your attention.
        </p>
      ) : (
        <div className="self-start overflow-hidden rounded-md border border-line bg-surface">
          <Lines items={firstItems} issues={issues} highlightsFirst={mayShip} />
          {otherItems.length > 0 && (
            <div className="border-t border-line px-4 *:border-b-0">
              <Disclosure title={`${otherItems.length} more`}>
                <div className="-mr-12 -ml-4 text-ink">
                  <Lines items={otherItems} issues={issues} />
                </div>
              </Disclosure>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

const rowClass =
  "grid min-h-16.5 grid-cols-[2.25rem_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 no-underline -outline-offset-2! hover:bg-cream-soft";

function Lines({
  items,
  issues,
  highlightsFirst = false,
}: {
  items: Item[];
  issues: Issue[];
  highlightsFirst?: boolean;
}) {
  return (
    <ul className="divide-y divide-line">
      {items.map((item, index) => {
        const isHighlighted = highlightsFirst && index === 0;
        return item.key === "issues" ? (
          <li key={item.key} id="attention" className="scroll-mt-4">
            <IssueLine item={item} issues={issues} />
          </li>
        ) : (
          <li key={item.key}>
            <Link to={item.to} className={`${rowClass} ${isHighlighted ? "min-h-20.5! bg-cream-soft" : ""}`}>
              <Line item={item} isHighlighted={isHighlighted} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** A line that expands to its issues, most of which can be settled there. Links with `#attention` open it. */
function IssueLine({ item, issues }: { item: Item; issues: Issue[] }) {
  const { hash } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (hash === item.to) setOpen(true);
  }, [hash, item.to]);
  return (
    <details className="group" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${rowClass} cursor-pointer list-none [&::-webkit-details-marker]:hidden`}>
        <Line item={item} />
      </summary>
      <div className="px-4 pb-4">
        <IssueList issues={issues} />
      </div>
    </details>
  );
}

function Line({
  item: { count, glyph, label, reason, action },
  isHighlighted,
}: {
  item: Item;
  isHighlighted?: boolean;
}) {
  return (
    <>
      <span
        className={`type-display justify-self-end leading-none whitespace-nowrap lining-nums ${count > 99 ? "text-h3" : "text-[1.75rem]"}`}
      >
        {glyph ? <Icon glyph={glyph} className="text-danger" /> : count > 99 ? "99+" : count}
      </span>{" "}
      <span className="min-w-0 leading-[1.35]">
        <span className="block text-ui font-semibold wrap-anywhere">{label}</span>{" "}
        {reason && <span className="block text-small wrap-anywhere text-ink-muted">{reason}</span>}
      </span>{" "}
      {isHighlighted ? (
        <span className={buttonClass({ size: "small" })}>{action}</span>
      ) : (
        <span className="inline-flex items-center gap-0.5 text-ui font-medium whitespace-nowrap text-link">
          {action}
          <Icon glyph={ChevronRight} size="small" className="group-open:rotate-90" />
        </span>
      )}
    </>
  );
}

function toDoItems(
  toDo: ToDo,
  now: string,
  { mayShip, mayOpenKeys, timeZone }: { mayShip: boolean; mayOpenKeys: boolean; timeZone: string },
): Item[] {
  const { mailOutage, ship, held, disputed, lowStock } = toDo;
  const line = (
    key: string,
    { count, oldestAt }: Waiting,
    {
      singular,
      plural,
      ...rest
    }: { singular: string; plural: string } & Pick<Item, "action" | "to" | "page">,
  ): Item => ({
    key,
    count,
    label: count === 1 ? singular : plural,
    reason: ageText(oldestAt, now, count),
    ...rest,
  });
  const [firstLowStock] = lowStock;
  const items: Item[] = [
    ...(mailOutage
      ? [
          {
            key: "mail",
            count: 1,
            glyph: MailWarning,
            label: mailOutageSentence(mailOutage, { timeZone, now }),
            reason: ageText(mailOutage.since, now, 1),
            action: "See why",
            to: mayOpenKeys ? "/admin/settings/keys#mail" : "/admin/messages/sent?status=queued",
            page: "/admin/messages/sent",
          },
        ]
      : []),
    {
      key: "ship",
      count: ship.count,
      label: ship.count === 1 ? "order to ship" : "orders to ship",
      reason: shipReason(ship, now),
      action: mayShip ? "Ship next" : seeLabel("order", ship.count),
      to: mayShip ? "/admin/ship-next" : "/admin/orders?status=to_ship",
    },
    {
      key: "disputed",
      count: disputed.count,
      label: disputed.count === 1 ? "dispute to answer" : "disputes to answer",
      reason: disputed.dueAt ? (
        <span className="font-semibold text-danger">{timeLeft(disputed.dueAt, now)}</span>
      ) : (
        ageText(disputed.oldestAt, now, disputed.count)
      ),
      action: mayShip ? "Answer" : seeLabel("order", disputed.count),
      to: disputed.only
        ? `/admin/disputes/${encodeURIComponent(disputed.only)}`
        : "/admin/orders?status=disputed",
    },
    {
      ...line("held", held, {
        singular: "order on hold",
        plural: "orders on hold",
        action: seeLabel("order", held.count),
        to: "/admin/orders?status=on_hold",
      }),
      reason: joinSentence(held.kinds.map((kind) => holdTexts[kind])),
    },
    line("issues", toDo.issues, {
      singular: "order needs attention",
      plural: "orders need attention",
      action: seeLabel("order", toDo.issues.count),
      to: "#attention",
    }),
    line("unpaid-changes", toDo.unpaidChanges, {
      singular: "order waiting for payment of added items",
      plural: "orders waiting for payment of added items",
      action: seeLabel("order", toDo.unpaidChanges.count),
      to: "/admin/orders?status=waiting",
    }),
    line("returns", toDo.returns, {
      singular: "return request",
      plural: "return requests",
      action: mayShip ? "Answer" : seeLabel("order", toDo.returns.count),
      to: "/admin/orders?status=returns",
    }),
    line("messages", toDo.messages, {
      singular: "message to answer",
      plural: "messages to answer",
      action: "Answer",
      to: "/admin/messages",
      page: "/admin/messages",
    }),
    line("questions", toDo.questions, {
      singular: "question to answer",
      plural: "questions to answer",
      action: "Answer",
      to: "/admin/questions?status=open",
      page: "/admin/questions",
    }),
    line("reviews", toDo.reviews, {
      singular: "review held",
      plural: "reviews held",
      action: seeLabel("review", toDo.reviews.count),
      to: "/admin/reviews?status=pending",
      page: "/admin/reviews",
    }),
    line("photos", toDo.photos, {
      singular: "photo to approve",
      plural: "photos to approve",
      action: seeLabel("photo", toDo.photos.count),
      to: "/admin/reviews?status=photos",
      page: "/admin/reviews",
    }),
    {
      key: "stock",
      count: lowStock.length,
      label: lowStock.length === 1 ? "product low on stock" : "products low on stock",
      reason: lowStock
        .slice(0, 2)
        .map(({ name, free }) => `${name}: ${free <= 0 ? "sold out" : `${free} left`}`)
        .join("; "),
      action: "Add stock",
      to:
        lowStock.length === 1 && firstLowStock
          ? `/admin/products/${firstLowStock.productId}/stock`
          : "/admin/products",
      page: "/admin/products",
    },
    line("jobs", toDo.failedJobs, {
      singular: "background job failed",
      plural: "background jobs failed",
      action: seeLabel("job", toDo.failedJobs.count),
      to: "/admin/jobs",
      page: "/admin/jobs",
    }),
  ];
  return items.filter(({ count }) => count > 0);
}

const seeLabel = (noun: string, count: number) => `See the ${noun}${count === 1 ? "" : "s"}`;

function shipReason({ count, oldestAt, overdue, dueToday, expedited }: ToDo["ship"], now: string): ReactNode {
  const cappedCount = (value: number) => (value > 99 ? "99+" : value);
  const expeditedText = expedited > 0 && `${cappedCount(expedited)} Expedited`;
  const dueText =
    overdue === 0 && dueToday > 0 && (dueToday === count ? "due today" : `${dueToday} due today`);
  const details = [expeditedText, dueText].filter(Boolean).join(", ");
  if (overdue === 0) return details === "" ? ageText(oldestAt, now, count) : capitalize(details);
  return (
    <>
      <span className="font-semibold text-danger">{cappedCount(overdue)} overdue</span>
      {details && `, ${details}`}
    </>
  );
}

const holdTexts = {
  dispute: "a dispute",
  refund: "a refund on its way",
  fraud: "a fraud warning",
  review: "a payment under review",
  owner: "put on hold by hand",
} satisfies Record<ToDo["held"]["kinds"][number], string>;

function joinSentence(parts: string[]): string {
  return capitalize(parts.join(", "));
}

const hourMs = 60 * 60 * 1000;

/** The age of the oldest entry, such as "For 5 hours" or "The oldest for 3 days". */
function ageText(since: string | null, now: string, count: number): string {
  if (since === null) return "";
  const hours = Math.floor((Date.parse(now) - Date.parse(since)) / hourMs);
  const days = Math.floor(hours / 24);
  if (hours < 1) return count === 1 ? "Just now" : "In the last hour";
  const time =
    days === 0 ? `${hours} ${hours === 1 ? "hour" : "hours"}` : `${days} ${days === 1 ? "day" : "days"}`;
  return count === 1 ? `For ${time}` : `The oldest for ${time}`;
}
