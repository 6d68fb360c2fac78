import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { AdminNews } from "../../../../domain/admin/admin.ts";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { ringFor } from "./ring.ts";

const seenEveryMs = 15_000;
const hiddenEveryMs = 60_000;
/** After this long without input, rows may move: the user is not about to press one. */
const idleMs = 4_000;
const topPx = 120;

/**
 * Keeps the panel up to date: polls, also whenever the tab becomes visible again. A new order rings and is counted in
 * the title of a hidden tab. Rows never move under the pointer: unless the user is idle and at the top of the page,
 * changes wait behind a button. `news`: state at page load.
 */
export function News({ news }: { news: AdminNews }) {
  const { revalidate } = useRevalidator();
  const [latest, setLatest] = useState(news);
  const shown = useRef(news);
  const known = useRef(new Set(news.paid.map(({ orderId }) => orderId)));
  const unseen = useRef(0);

  /** Rings once for each order that is new to this tab. */
  const hear = useRef(({ paid }: AdminNews) => {
    const fresh = paid.filter(({ orderId }) => !known.current.has(orderId));
    for (const { orderId } of fresh) known.current.add(orderId);
    const [newest] = fresh;
    if (!newest) return;
    ringFor(newest.orderId);
    if (!document.hidden) return;
    unseen.current += fresh.length;
    markTitle(unseen.current);
  });

  useEffect(() => {
    shown.current = news;
    setLatest(news);
    hear.current(news);
  }, [news]);

  useEffect(() => {
    let timer: number | undefined;
    let isOver = false;
    let touchedAt = 0;
    const touch = () => {
      touchedAt = performance.now();
    };
    const ask = async (isSeenAgain: boolean) => {
      window.clearTimeout(timer);
      const answer = await callApi("GET /api/admin/news");
      if (isOver) return;
      // A session that is over asks for the code with the next change: nothing typed may go for it.
      if (!answer.ok && answer.problem.status === 401) return;
      if (answer.ok) {
        const { data } = answer.body;
        hear.current(data);
        if (stampOf(data) !== stampOf(shown.current)) {
          const isIdle = performance.now() - touchedAt > (isSeenAgain ? 1_000 : idleMs);
          if (isIdle && !isBusy() && (isSeenAgain || window.scrollY < topPx)) await revalidate();
          else setLatest(data);
        }
      }
      wait();
    };
    const wait = () => {
      if (isOver) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void ask(false), document.hidden ? hiddenEveryMs : seenEveryMs);
    };
    const onVisibility = () => {
      if (document.hidden) return wait();
      unseen.current = 0;
      markTitle(0);
      void ask(true);
    };
    const touches = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"] as const;
    for (const name of touches) window.addEventListener(name, touch, { passive: true });
    document.addEventListener("visibilitychange", onVisibility);
    wait();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      for (const name of touches) window.removeEventListener(name, touch);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [revalidate]);

  const words = wordsOf(news, latest);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-3 z-(--z-header) flex justify-center print:hidden"
    >
      {words && (
        <button
          type="button"
          className="pointer-events-auto inline-flex min-h-11 animate-drop items-center gap-2 rounded-full bg-forest-800 px-5 text-ui font-medium text-paper shadow-pop outline-1 outline-transparent"
          onClick={() => {
            window.scrollTo({ top: 0 });
            void revalidate();
          }}
        >
          <Icon glyph={RefreshCw} size="small" /> {words}
        </button>
      )}
    </div>
  );
}

/** "2 new orders"; null: nothing that the page does not show. */
function wordsOf(shown: AdminNews, latest: AdminNews): string | null {
  if (stampOf(shown) === stampOf(latest)) return null;
  const before = new Set(shown.paid.map(({ orderId }) => orderId));
  const orders = latest.paid.filter(({ orderId }) => !before.has(orderId)).length;
  if (latest.mailOutage && !shown.mailOutage) return "No email leaves";
  if (orders > 0) return orders === 1 ? "1 new order" : `${orders} new orders`;
  return latest.unreadMessages > shown.unreadMessages ? "New message" : "Show what has changed";
}

function stampOf({ paid, ...counts }: AdminNews): string {
  const {
    ordersToShip,
    openReturns,
    unreadMessages,
    heldReviews,
    heldPhotos,
    openQuestions,
    attention,
    failedJobs,
    mailOutage,
  } = counts;
  return [
    ...[
      ordersToShip,
      openReturns,
      unreadMessages,
      heldReviews,
      heldPhotos,
      openQuestions,
      attention,
      failedJobs,
    ],
    mailOutage?.since,
    mailOutage?.cause,
    ...paid.map(({ orderId }) => orderId),
  ].join();
}

/** Whether a dialog is open or a field has the focus. */
function isBusy(): boolean {
  return (
    document.querySelector("[role=dialog]") !== null ||
    document.activeElement?.matches("input:not([type=checkbox]), textarea, select") === true
  );
}

/** "(2) View Orders": the number of orders that arrived while the tab was hidden. */
function markTitle(count: number): void {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count === 0 ? title : `(${count}) ${title}`;
}
