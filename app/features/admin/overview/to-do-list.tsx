import type { LucideIcon } from "lucide-react";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleCheck from "lucide-react/icons/circle-check";
import MailWarning from "lucide-react/icons/mail-warning";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { timeLeft } from "../../../../domain/disputes/evidence.ts";
import { mailOutageSentence } from "../../../../domain/outbox/mail-outage.ts";
import type { ToDo, Waiting } from "../../../../domain/overview/to-do.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useShopZone } from "../kit/short-day.tsx";
import { useMayOpen } from "../rights.ts";

type Item = {
  key: string;
  to: string;
  count: number;
  words: string;
  since?: string | null;
  mark?: ReactNode;
  /** Shown instead of a count, for entries that are not counted. */
  glyph?: LucideIcon;
};

/** Everything that needs action, each line with a link to its list. `now`: ISO 8601. */
export function ToDoList({ toDo, now }: { toDo: ToDo; now: string }) {
  const mayOpen = useMayOpen();
  const timeZone = useShopZone();
  const items = itemsOf(toDo, now, {
    ships: mayOpen("/admin/ship-next"),
    hasKeys: mayOpen("/admin/settings/keys"),
    timeZone,
  });
  return (
    <section aria-labelledby="to-do">
      <h2 id="to-do" className="mb-3 text-h3">
        To do
      </h2>
      {items.length === 0 ? (
        <p className="flex items-center gap-2.5 rounded-md border border-line bg-surface px-5 py-4 text-ink-muted">
          <Icon glyph={CircleCheck} className="shrink-0 text-success" /> Nothing waits for you.
        </p>
      ) : (
        <ul className="overflow-hidden rounded-md border border-line bg-surface md:grid md:grid-cols-2">
          {items.map(({ key, to, count, words, since, mark, glyph }) => (
            <li key={key} className="-mt-px border-t border-line">
              <Link
                to={to}
                className="flex min-h-13 items-center gap-3 px-4 py-2 no-underline -outline-offset-2! hover:bg-cream-soft"
              >
                <span className="min-w-9 text-right text-[1.25rem] leading-none font-semibold tabular-nums">
                  {glyph ? (
                    <Icon glyph={glyph} className="ml-auto text-danger" />
                  ) : count > 99 ? (
                    "99+"
                  ) : (
                    count
                  )}
                </span>
                <span className="min-w-0 flex-1 text-ui">
                  <span className="wrap-anywhere">{words}</span>{" "}
                  {since && (
                    <span className="text-small whitespace-nowrap text-ink-muted">
                      {ageWords(since, now, count)}
                    </span>
                  )}
                </span>
                {mark}
                <Icon glyph={ChevronRight} size="small" className="shrink-0 text-ink-muted" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function itemsOf(
  toDo: ToDo,
  now: string,
  { ships, hasKeys, timeZone }: { ships: boolean; hasKeys: boolean; timeZone: string },
): Item[] {
  const { mailOutage, ship, disputed, lowStock } = toDo;
  const line = (key: string, to: string, { count, oldestAt }: Waiting, one: string, many: string): Item => ({
    key,
    to,
    count,
    words: count === 1 ? one : many,
    since: oldestAt,
  });
  const [scarce] = lowStock;
  const items: Item[] = [
    ...(mailOutage
      ? [
          {
            key: "mail",
            to: hasKeys ? "/admin/settings/keys#mail" : "/admin/messages/sent?status=queued",
            count: 1,
            words: mailOutageSentence(mailOutage, { timeZone, now }),
            since: mailOutage.since,
            glyph: MailWarning,
          },
        ]
      : []),
    {
      ...line(
        "ship",
        ships ? "/admin/ship-next" : "/admin/orders?status=to_ship",
        ship,
        "order to ship",
        "orders to ship",
      ),
      mark: ship.overdue > 0 && <Badge tone="red">{ship.overdue > 99 ? "99+" : ship.overdue} overdue</Badge>,
    },
    line("held", "/admin/orders?status=on_hold", toDo.held, "order on hold", "orders on hold"),
    line(
      "unpaid-changes",
      "/admin/orders?status=waiting",
      toDo.unpaidChanges,
      "order waits for payment of added items",
      "orders wait for payment of added items",
    ),
    {
      key: "disputed",
      to: disputed.only
        ? `/admin/disputes/${encodeURIComponent(disputed.only)}`
        : "/admin/orders?status=disputed",
      count: disputed.count,
      words: disputed.count === 1 ? "dispute to answer" : "disputes to answer",
      mark: disputed.dueAt && <Badge tone="red">{timeLeft(disputed.dueAt, now)}</Badge>,
    },
    line(
      "issues",
      "#attention",
      toDo.issues,
      "payment or order to look at",
      "payments and orders to look at",
    ),
    line("returns", "/admin/orders?status=returns", toDo.returns, "return request", "return requests"),
    line("messages", "/admin/messages", toDo.messages, "message to answer", "messages to answer"),
    line(
      "questions",
      "/admin/questions?status=open",
      toDo.questions,
      "question to answer",
      "questions to answer",
    ),
    line("reviews", "/admin/reviews?status=pending", toDo.reviews, "review held", "reviews held"),
    line("photos", "/admin/reviews?status=photos", toDo.photos, "photo to approve", "photos to approve"),
    {
      key: "stock",
      to: lowStock.length === 1 && scarce ? `/admin/products/${scarce.productId}/stock` : "/admin/products",
      count: lowStock.length,
      words:
        lowStock.length === 1 && scarce
          ? `product low on stock: ${scarce.name}, ${scarce.free <= 0 ? "sold out" : `${scarce.free} left`}`
          : "products low on stock",
      mark: lowStock.some(({ free }) => free <= 0) && <Badge tone="red">Sold out</Badge>,
    },
    line(
      "jobs",
      "/admin/jobs",
      toDo.failedJobs,
      "job in the background gave up",
      "jobs in the background gave up",
    ),
  ];
  return items.filter(({ count }) => count > 0);
}

const hourMs = 60 * 60 * 1000;

/** "for 5 hours", "the oldest for 3 days": the age of the oldest entry; "" within the first hour. */
function ageWords(since: string, now: string, count: number): string {
  const hours = Math.floor((Date.parse(now) - Date.parse(since)) / hourMs);
  if (hours < 1) return "";
  const days = Math.floor(hours / 24);
  const time =
    days === 0 ? `${hours} ${hours === 1 ? "hour" : "hours"}` : `${days} ${days === 1 ? "day" : "days"}`;
  return count === 1 ? `for ${time}` : `the oldest for ${time}`;
}
