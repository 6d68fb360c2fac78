import Keyboard from "lucide-react/icons/keyboard";
import LogOutGlyph from "lucide-react/icons/log-out";
import Search from "lucide-react/icons/search";
import Store from "lucide-react/icons/store";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, useNavigation, useRevalidator } from "react-router";
import logo from "../../../../assets/brand/logo-light.svg?url";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import { IconButton, iconButtonClass, Spinner } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { rememberUnlocked } from "../unlocked-flag.ts";
import { BottomBar, SideMenu } from "./admin-nav.tsx";
import { SessionQuestions } from "./session-questions.tsx";
import { ShortcutsDialog, showShortcuts } from "./shortcuts-dialog.tsx";

/** The frame of the unlocked panel: dark bar, navigation and the current page. `counts` null: they could not be read. */
export function AdminFrame({
  counts,
  banner,
  children,
}: {
  counts: AdminCounts | null;
  /** Shown above every page. */
  banner?: ReactNode;
  children: ReactNode;
}) {
  const isLoading = useNavigation().state === "loading";
  return (
    <div data-admin-frame className="min-h-[calc(100svh-var(--test-mode-h))] bg-backdrop">
      <header className="on-dark bg-forest-800 text-ink-on-dark print:hidden">
        <div className="mx-auto flex h-15 max-w-400 items-center justify-between gap-2 px-(--gutter)">
          <Link
            to="/admin"
            className="flex min-h-11 shrink-0 items-center gap-x-[clamp(.375rem,2.5vw,.75rem)] no-underline"
          >
            <img src={logo} width="122" height="24" alt="Palmira" className="h-5 w-auto sm:h-6" />
            <span className="text-small text-ink-on-dark-muted max-sm:sr-only">Admin</span>
          </Link>
          <div className="flex items-center sm:gap-1">
            <OpenPalette />
            <IconButton
              label="Keyboard shortcuts"
              className="hover:bg-white/10 max-lg:hidden"
              onClick={showShortcuts}
            >
              <Icon glyph={Keyboard} />
            </IconButton>
            <Link
              to="/"
              aria-label="View shop"
              className={`${iconButtonClass} shrink-0 max-[22rem]:hidden hover:bg-white/10`}
            >
              <Icon glyph={Store} />
            </Link>
            <LogOut />
          </div>
        </div>
      </header>
      <Progress isShown={isLoading} />
      <div className="mx-auto grid max-w-400 grid-cols-[minmax(0,1fr)] lg:min-h-[calc(100svh-3.75rem-var(--test-mode-h))] lg:grid-cols-[15.5rem_minmax(0,1fr)] print:block">
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
      <SessionQuestions />
    </div>
  );
}

/** Progress line during navigation, which blocks nothing. It appears with a delay, so that fast pages show none. */
function Progress({ isShown }: { isShown: boolean }) {
  return (
    <div className="pointer-events-none sticky top-0 z-(--z-header) h-0" aria-hidden="true">
      <div
        className={`h-0.75 origin-left bg-copper-400 transition-transform ease-out ${
          isShown ? "scale-x-90 delay-150 duration-[4s]" : "scale-x-0 duration-0"
        }`}
      />
    </div>
  );
}

/** Ends this session; the panel then shows its lock screen. */
function LogOut() {
  const [isBusy, setIsBusy] = useState(false);
  const { revalidate } = useRevalidator();
  async function logOut() {
    setIsBusy(true);
    const answer = await callApi("POST /api/admin/logout");
    setIsBusy(false);
    if (!answer.ok) return toast({ title: "Error", description: answer.problem.message, tone: "danger" });
    rememberUnlocked(false);
    toast({ title: "Logged Out" });
    await revalidate();
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-busy={isBusy || undefined}
      onClick={logOut}
      className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2 px-2 text-ui"
    >
      {isBusy ? <Spinner /> : <Icon glyph={LogOutGlyph} size="small" />}
      <span className="max-sm:sr-only underline decoration-copper-400 decoration-1 underline-offset-[.3em]">
        Log Out
      </span>
    </button>
  );
}

const loadPalette = () => import("../palette/palette.tsx").then((module) => ({ default: module.Palette }));
const Palette = lazy(loadPalette);

/** Opens the command palette: a button, and Ctrl+K or ⌘K even in text fields. */
function OpenPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.isComposing) return;
      // Not over an open dialog.
      if (document.querySelector("[role=dialog]:not([data-palette]):not([data-drawer])")) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <IconButton
        label="Search everything"
        title="Search everything (Ctrl+K)"
        className="shrink-0 hover:bg-white/10"
        onPointerEnter={() => void loadPalette().catch(() => null)}
        onClick={() => setOpen(true)}
      >
        <Icon glyph={Search} />
      </IconButton>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
