import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useRef, useState } from "react";
import { Link, useRevalidator } from "react-router";
import type { AdminState } from "../../../../domain/admin/admin.ts";
import { type MailOutage, mailOutageSentence } from "../../../../domain/outbox/mail-outage.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi } from "../../api.ts";
import { useShopZone } from "../kit/short-day.tsx";
import { useMayOpen } from "../rights.ts";
import { useKeptPage } from "./kept-page.ts";
import { ringFor } from "./ring.ts";

const visiblePollMs = 15_000;
const hiddenPollMs = 60_000;
/** Time without input after which rows may move, because the user is not about to press one. */
const idleMs = 4_000;
/** A page that is scrolled by less counts as being at its top. */
const topPx = 120;

/**
 * Keeps the panel up to date by polling, and whenever the tab becomes visible again. A new order rings and is counted in the
 * title of a hidden tab. So that rows never move under the pointer, changes wait behind a button unless the user is idle at
 * the top of the page. Also reports a failed reload. `loadedState`: state of the loaded page.
 */
export function LiveUpdates({ loadedState }: { loadedState: AdminState }) {
  const { revalidate } = useRevalidator();
  const [latestState, setLatestState] = useState(loadedState);
  const shownState = useRef(loadedState);
  const announcedOrders = useRef(new Set(loadedState.paid.map(({ orderId }) => orderId)));
  const unseenCount = useRef(0);

  /** Rings once for each order that is new to this tab. */
  const announce = useRef(({ paid }: AdminState) => {
    const newOrders = paid.filter(({ orderId }) => !announcedOrders.current.has(orderId));
    for (const { orderId } of newOrders) announcedOrders.current.add(orderId);
    const [newestOrder] = newOrders;
    if (!newestOrder) return;
    ringFor(newestOrder.orderId);
    if (!document.hidden) return;
    unseenCount.current += newOrders.length;
    markTitle(unseenCount.current);
  });

  useEffect(() => {
    shownState.current = loadedState;
    setLatestState(loadedState);
    announce.current(loadedState);
  }, [loadedState]);

  useEffect(() => {
    let timer: number | undefined;
    let isUnmounted = false;
    let lastInputAt = 0;
    const noteInput = () => {
      lastInputAt = performance.now();
    };
    const poll = async (isVisibleAgain: boolean) => {
      window.clearTimeout(timer);
      const response = await callApi("GET /api/admin/news");
      if (isUnmounted) return;
      // Keeps polling after the session has ended: the next action asks to unlock the panel, so that nothing typed is lost.
      if (response.ok) {
        const { data } = response.body;
        announce.current(data);
        if (stateKey(data) !== stateKey(shownState.current)) {
          const isIdle = performance.now() - lastInputAt > (isVisibleAgain ? 1_000 : idleMs);
          if (isIdle && !isBusy() && (isVisibleAgain || window.scrollY < topPx)) await revalidate();
          else setLatestState(data);
        }
      }
      wait();
    };
    const wait = () => {
      if (isUnmounted) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void poll(false), document.hidden ? hiddenPollMs : visiblePollMs);
    };
    const onVisibility = () => {
      if (document.hidden) return wait();
      unseenCount.current = 0;
      markTitle(0);
      void poll(true);
    };
    const inputEvents = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"] as const;
    for (const name of inputEvents) window.addEventListener(name, noteInput, { passive: true });
    document.addEventListener("visibilitychange", onVisibility);
    wait();
    return () => {
      isUnmounted = true;
      window.clearTimeout(timer);
      for (const name of inputEvents) window.removeEventListener(name, noteInput);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [revalidate]);

  const { isOutdated, isReloading, reload } = useKeptPage();
  const text = isOutdated
    ? isReloading
      ? "Trying again..."
      : "This page could not be updated. Try again"
    : changeText(loadedState, latestState);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-3 z-(--z-header) flex justify-center print:hidden"
    >
      {text && (
        <button
          type="button"
          className="pointer-events-auto inline-flex min-h-11 animate-drop items-center gap-2 rounded-full bg-forest-800 px-5 text-ui font-medium text-paper shadow-pop outline-1 outline-transparent"
          onClick={() => {
            // The scroll position stays, because the field being edited may be far below.
            if (isOutdated) return void reload();
            window.scrollTo({ top: 0 });
            void revalidate();
          }}
        >
          <Icon glyph={RefreshCw} size="small" /> {text}
        </button>
      )}
    </div>
  );
}

/** Such as "2 new orders"; null if the page is up to date. */
function changeText(current: AdminState, latest: AdminState): string | null {
  if (stateKey(current) === stateKey(latest)) return null;
  const shownOrderIds = new Set(current.paid.map(({ orderId }) => orderId));
  const orders = latest.paid.filter(({ orderId }) => !shownOrderIds.has(orderId)).length;
  if (latest.mailOutage && !current.mailOutage) return "Emails cannot be sent";
  if (orders > 0) return orders === 1 ? "1 new order" : `${orders} new orders`;
  return latest.unreadMessages > current.unreadMessages ? "New message" : "Show what has changed";
}

const watchedCounts = [
  "ordersToShip",
  "openReturns",
  "unreadMessages",
  "heldReviews",
  "heldPhotos",
  "openQuestions",
  "attention",
  "failedJobs",
] as const;

/** A key that changes when the page would show something different. */
function stateKey({ paid, mailOutage, ...counts }: AdminState): string {
  const orders = paid.map(({ orderId }) => orderId);
  return [
    ...watchedCounts.map((name) => counts[name]),
    mailOutage?.since,
    mailOutage?.cause,
    ...orders,
  ].join();
}

/**
 * Whether a dialog is open, a field has the focus, or an order is being packed. A reload could replace that order with a more
 * urgent one, which would then get the tracking number of the parcel.
 */
function isBusy(): boolean {
  return (
    document.querySelector("[role=dialog], [data-keeps-page]") !== null ||
    document.activeElement?.matches("input:not([type=checkbox]), textarea, select") === true
  );
}

/** Puts the number of orders that arrived while the tab was hidden before its title, as in "(2) View Orders". */
function markTitle(count: number): void {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count === 0 ? title : `(${count}) ${title}`;
}

/** Banner on every page of the panel while no e-mail can be sent. `now`: time of the data, ISO 8601. */
export function MailOutageBanner({ outage, now }: { outage: MailOutage; now: string }) {
  const timeZone = useShopZone();
  const mayOpen = useMayOpen();
  const { waiting } = outage;
  return (
    <Banner className="mb-6 print:hidden" title={`${mailOutageSentence(outage, { timeZone, now })}.`}>
      {waiting > 0 &&
        `${waiting > 99 ? "99+" : waiting} ${waiting === 1 ? "email is waiting and will go" : "emails are waiting and will go"} out automatically once the mail server accepts mail again. `}
      {mayOpen("/admin/settings/keys") ? (
        <Link className="link" to="/admin/settings/keys#mail">
          Check the mail server
        </Link>
      ) : (
        "Please tell the owner."
      )}
    </Banner>
  );
}
