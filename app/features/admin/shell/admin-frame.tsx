import CircleUser from "lucide-react/icons/circle-user";
import ExternalLink from "lucide-react/icons/external-link";
import Keyboard from "lucide-react/icons/keyboard";
import LogOutGlyph from "lucide-react/icons/log-out";
import Search from "lucide-react/icons/search";
import User from "lucide-react/icons/user";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigation, useRevalidator } from "react-router";
import logo from "../../../../assets/brand/logo-light.svg?url";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import { preloadRoute } from "../../../ui/browser/preload-route.ts";
import { IconButton, iconButtonClass, Spinner } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { useRights } from "../rights.ts";
import { rememberUnlocked } from "../unlocked-flag.ts";
import { BottomBar, SideMenu } from "./admin-nav.tsx";
import { leavePage } from "./kept-page.ts";
import { SessionDialogs } from "./session-dialogs.tsx";
import { ShortcutsDialog, showShortcuts } from "./shortcuts-dialog.tsx";
import { accountPage } from "./tabs.ts";

/** The frame of the unlocked panel: dark bar, navigation and the current page. `counts` is null if they could not be read. */
export function AdminFrame({
  counts,
  banner,
  isFullScreen = false,
  children,
}: {
  counts: AdminCounts | null;
  /** Whether the page fills the screen with its own bars instead of the menu. */
  isFullScreen?: boolean;
  /** Banners above every page. */
  banner?: ReactNode;
  children: ReactNode;
}) {
  const isLoading = useNavigation().state === "loading";
  usePreloadedPages();
  if (isFullScreen) {
    return (
      <div data-admin-frame className="min-h-[calc(100svh-var(--test-mode-h))] bg-backdrop">
        <main id="main" tabIndex={-1} aria-busy={isLoading || undefined} className="outline-none">
          {children}
        </main>
        <ShortcutsDialog />
        <SessionDialogs />
      </div>
    );
  }
  return (
    <div data-admin-frame className="min-h-[calc(100svh-var(--test-mode-h))] bg-backdrop">
      <header className="on-dark bg-forest-800 text-ink-on-dark print:hidden">
        <div className="mx-auto flex h-15 max-w-400 items-center justify-between gap-2 px-(--gutter) lg:px-[min(1.5rem,2.4vw)]">
          <Link
            to="/admin"
            className="flex min-h-11 shrink-0 items-center gap-x-[clamp(.375rem,2.5vw,.75rem)] no-underline"
          >
            <img
              src={logo}
              width="122"
              height="24"
              alt="Palmira"
              className="h-[min(1.25rem,6.25vw)] w-auto sm:h-6"
            />
            <span className="text-small text-ink-on-dark-muted max-sm:sr-only">Admin</span>
          </Link>
          <PaletteButton />
          <div className="flex items-center gap-1">
            <IconButton
              label="Keyboard shortcuts"
              className="hover:bg-white/10 max-lg:hidden"
              onClick={showShortcuts}
            >
              <Icon glyph={Keyboard} />
            </IconButton>
            <div className="flex max-lg:hidden">
              <CornerLinks isOnBar />
            </div>
            <Link
              to={accountPage.to}
              aria-label={accountPage.label}
              className={`${iconButtonClass} shrink-0 lg:hidden hover:bg-white/10`}
            >
              <Initials />
            </Link>
          </div>
        </div>
      </header>
      <div className="mx-auto stack max-w-400 lg:min-h-[calc(100svh-3.75rem-var(--test-mode-h))] lg:grid-cols-[15.5rem_minmax(0,1fr)] print:block">
        <SideMenu counts={counts} />
        <main
          id="main"
          tabIndex={-1}
          aria-busy={isLoading || undefined}
          className="min-w-0 px-(--gutter) pt-5 pb-[calc(var(--admin-bar-h)+3rem)] outline-none lg:px-[clamp(1.5rem,3vw,3rem)] lg:pt-8 print:p-0"
        >
          <noscript>
            <Banner tone="warning" className="mb-6" title="Nothing can be changed without JavaScript.">
              The panel can be read, but its buttons and forms do nothing. Please switch JavaScript on and
              load this page again.
            </Banner>
          </noscript>
          {banner}
          {children}
        </main>
      </div>
      <BottomBar counts={counts} />
      <ShortcutsDialog />
      <SessionDialogs />
    </div>
  );
}

/**
 * Preloads the scripts of the pages that links lead to. Without its script, a page opened while the shop cannot be reached
 * would make the browser replace the whole panel with its error page.
 */
function usePreloadedPages(): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other links
  useEffect(() => {
    // After everything else, when the router knows where the links lead.
    const timer = setTimeout(() => {
      for (const [id, route] of Object.entries(window.__reactRouterManifest.routes))
        if (id.startsWith("routes/admin")) preloadRoute(route);
    }, 1_500);
    return () => clearTimeout(timer);
  }, [pathname]);
}

/** My account, View shop and Log Out: in the dark bar with `isOnBar`, otherwise as rows of a menu. */
export function CornerLinks({ isOnBar = false }: { isOnBar?: boolean }) {
  const linkClass = `flex min-h-11 items-center gap-2.5 text-ui font-medium whitespace-nowrap no-underline outline-offset-0! ${
    isOnBar
      ? "rounded-sm px-[min(.75rem,1.2vw)] hover:bg-white/10"
      : "w-full rounded-sm px-3 text-ink-muted hover:bg-cream-soft"
  }`;
  const account = (
    <Link to={accountPage.to} className={linkClass}>
      {isOnBar ? <Initials /> : <Icon glyph={CircleUser} className="size-4.5" />} {accountPage.label}
    </Link>
  );
  return (
    <>
      {!isOnBar && account}
      <Link to="/" className={linkClass}>
        <Icon glyph={ExternalLink} className="size-4.5" /> View shop
      </Link>
      {isOnBar && account}
      <LogOut className={linkClass} />
    </>
  );
}

/** The viewer's initials, or an icon after a sign-in with the access code. */
function Initials() {
  const { name } = useRights();
  const words = name?.split(/\s+/).filter(Boolean) ?? [];
  const initials = [...new Set([words[0], words.at(-1)])].map((word) => [...(word ?? "")][0] ?? "").join("");
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-7 items-center justify-center rounded-full bg-copper-300 text-caption font-semibold text-forest-950"
    >
      {initials === "" ? <Icon glyph={User} className="size-4" /> : initials.toUpperCase()}
    </span>
  );
}

/** Ends this session; the panel then shows its lock screen. */
function LogOut({ className }: { className: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const { revalidate } = useRevalidator();
  async function logOut() {
    setIsBusy(true);
    const response = await callApi("POST /api/admin/logout");
    setIsBusy(false);
    if (!response.ok) return toast({ title: "Error", description: response.problem.message, tone: "danger" });
    rememberUnlocked(false);
    toast({ title: "Logged Out" });
    leavePage();
    await revalidate();
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-busy={isBusy || undefined}
      onClick={logOut}
      className={className}
    >
      {isBusy ? <Spinner /> : <Icon glyph={LogOutGlyph} className="size-4.5" />}
      Log Out
    </button>
  );
}

type PaletteComponent = typeof import("../palette/palette.tsx").Palette;

/** Opens the command palette: a button, and Ctrl+K or ⌘K even in text fields. */
function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  // Not a lazy component: React may show a suspended component 300 ms after its file has loaded.
  const [Palette, setPalette] = useState<PaletteComponent | null>(null);
  const typedText = useRef("");
  const isFieldFocused = useRef(false);
  useEffect(() => {
    if (Palette) return;
    const load = () =>
      import("../palette/palette.tsx").then(
        (module) => setPalette(() => module.Palette),
        // Opening the palette again retries.
        () => setOpen(false),
      );
    // Preloaded after everything else.
    const timer = setTimeout(load, isOpen ? 0 : 500);
    return () => clearTimeout(timer);
  }, [isOpen, Palette]);
  useEffect(() => {
    if (!isOpen) return;
    // Collects the keys typed until the palette's field has the focus, so that they do not trigger shortcuts of the page.
    const collect = (event: KeyboardEvent) => {
      if (isFieldFocused.current || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1) typedText.current += event.key;
      else if (event.key === "Backspace") typedText.current = typedText.current.slice(0, -1);
      else if (event.key === "Enter") typedText.current += "\n";
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", collect, { capture: true });
    return () => {
      document.removeEventListener("keydown", collect, { capture: true });
      typedText.current = "";
      isFieldFocused.current = false;
    };
  }, [isOpen]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.isComposing) return;
      // The search does not open over a dialog.
      if (document.querySelector("[role=dialog]:not([data-palette]):not([data-drawer])")) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        title="Ctrl+K"
        onClick={() => setOpen(true)}
        className="flex min-h-11 min-w-11 shrink-0 cursor-pointer items-center justify-center gap-2.5 rounded-sm hover:bg-white/10 max-lg:ml-auto lg:mr-auto lg:ml-8 lg:w-full lg:max-w-120 lg:shrink lg:justify-start lg:border lg:border-white/25 lg:bg-white/5 lg:px-3.5 lg:text-ink-on-dark-muted"
      >
        <Icon glyph={Search} className="size-5 lg:size-4.5" />
        <span className="truncate text-ui max-lg:sr-only">Search everything</span>
        <span
          // Drawn by CSS, because text would become part of the button's name.
          className="ml-auto rounded-sm border border-white/25 px-1.5 text-small max-lg:hidden before:content-['Ctrl_K'/'']"
        />
      </button>
      {isOpen && Palette && (
        <Palette
          takeTypedText={() => {
            isFieldFocused.current = true;
            const text = typedText.current;
            typedText.current = "";
            return text;
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
