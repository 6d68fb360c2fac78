import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, Outlet, useLocation } from "react-router";
import type { AdminState } from "../../domain/admin/admin.ts";
import type { Rights } from "../../domain/people/person.ts";
import { frameLoader } from "../features/admin/admin-data.ts";
import { LockedPanel } from "../features/admin/front-door.tsx";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { ShopZone } from "../features/admin/kit/short-day.tsx";
import { useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { renewDevice, renewDeviceSoon } from "../features/admin/push/this-browser.ts";
import { RightsContext } from "../features/admin/rights.ts";
import { AdminFrame } from "../features/admin/shell/admin-frame.tsx";
import { keepPage } from "../features/admin/shell/kept-page.ts";
import { LiveUpdates, MailOutageBanner } from "../features/admin/shell/live-updates.tsx";
import { adminTabs, isWithin } from "../features/admin/shell/tabs.ts";
import { rememberUnlocked } from "../features/admin/unlocked-flag.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { focusHeading } from "../shell/page-focus.tsx";
import { useBrowserState } from "../ui/browser/browser-state.ts";
import { Banner } from "../ui/error-banner.tsx";
import { Options, Select } from "../ui/field.tsx";
import type { Route } from "./+types/admin";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Admin");

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepPage];

type Frame = AdminState & { now: string; timeZone: string; asksForZone: boolean; rights: Rights };

/** Returns null if the panel is locked. */
export const loader = frameLoader(async (_: Route.LoaderArgs, read): Promise<Frame | null> => {
  const [state, zone, rights] = await Promise.all([
    read("GET /api/admin/news"),
    read("GET /api/admin/time-zone"),
    read("GET /api/admin/rights"),
  ]);
  const { timeZone, isChosen } = zone.data;
  const asksForZone = rights.data.role === "owner" && !isChosen;
  return { ...state.data, now: new Date().toISOString(), timeZone, asksForZone, rights: rights.data };
});

/** The frame around every tab; while the panel is locked, the sign-in page instead. */
export default function Admin({ loaderData: frame }: Route.ComponentProps) {
  const isLocked = frame === null;
  // Only the overview shows the question about the time zone, so that it does not interrupt other work.
  const { pathname } = useLocation();
  const isOverview = pathname === "/admin";
  const mayModerate = frame !== null && ["owner", "staff"].includes(frame.rights.role);
  // For viewers who may read messages, the overview's to-do list begins with an outage; the go-live check lists it too.
  const pageShowsOutage = isOverview ? mayModerate : pathname === "/admin/go-live";
  const wasLocked = useRef(isLocked);
  useEffect(() => {
    // Another tab may have unlocked the panel. The flag shows moderation on public pages, so it depends on the role.
    if (!isLocked) rememberUnlocked(mayModerate);
    if (isLocked) renewDeviceSoon();
    else void renewDevice();
    if (wasLocked.current !== isLocked) focusHeading();
    wasLocked.current = isLocked;
  }, [isLocked, mayModerate]);
  if (isLocked) return <LockedPanel />;
  return (
    <RightsContext value={frame.rights}>
      <ShopZone value={frame.timeZone}>
        <LiveUpdates loadedState={frame} />
        <AdminFrame
          counts={frame}
          isFullScreen={pathname === "/admin/ship-next"}
          banner={
            !pageShowsOutage &&
            frame.mailOutage && <MailOutageBanner outage={frame.mailOutage} now={frame.now} />
          }
        >
          {isOverview && <AskTimeZone isOpen={frame.asksForZone} />}
          <Outlet />
        </AdminFrame>
      </ShopZone>
    </RightsContext>
  );
}

/** Shown if the frame's own loader fails, for example offline: the error title of the requested tab. */
export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  const tab = adminTabs.find((tab) => isWithin(tab, pathname));
  return (
    <AdminFrame counts={null}>
      <AdminProblem
        page={tab?.name ?? tab?.label ?? "Admin"}
        title={tab?.failure ?? "This page could not be loaded"}
      />
    </AdminFrame>
  );
}

/** Asks for the shop's time zone until it has been chosen, and proposes the device's. Then links to the go-live check. */
function AskTimeZone({ isOpen }: { isOpen: boolean }) {
  const [proposedZone] = useBrowserState<string | null>(null, deviceZone);
  const [wasOpen] = useState(isOpen);
  if (isOpen) return proposedZone === null ? null : <TimeZoneForm proposedZone={proposedZone} />;
  return (
    wasOpen && (
      <Banner tone="success" className="mb-6" title="Time zone saved.">
        <Link to="/admin/go-live" className="link inline-flex min-h-11 items-center">
          What is left before the first sale
        </Link>
      </Banner>
    )
  );
}

function TimeZoneForm({ proposedZone }: { proposedZone: string }) {
  const form = useAdminForm(
    "PATCH /api/admin/settings",
    { timeZone: proposedZone },
    { success: { title: "Time zone saved" }, failure: "The time zone was not saved" },
  );
  const { timeZone: zone } = form.values;
  function save(event: FormEvent) {
    event.preventDefault();
    // With the revision null, it is saved only if no time zone has been set yet.
    void form.run({ body: { timeZone: zone, revisions: { timeZone: null } } });
  }
  return (
    <Banner tone="info" className="mb-6" title="Which time zone is the shop in?">
      <p>
        Days, charts, exports and the emails to you follow it, wherever you are. You can change it in
        Settings.
      </p>
      <form onSubmit={save} className="mt-3 flex flex-wrap items-end gap-3">
        <Select
          {...form.field("timeZone")}
          label="Time zone of the shop"
          name="shop-time-zone"
          className="w-full sm:w-72"
        >
          <Options of={zonesStartingWith(proposedZone).map((name) => [name, name.replaceAll("_", " ")])} />
        </Select>
        <PanelButton type="submit" className="min-h-12.5!" busy={form.busy}>
          Save time zone
        </PanelButton>
      </form>
    </Banner>
  );
}

function zonesStartingWith(firstZone: string): string[] {
  return [...new Set([firstZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
