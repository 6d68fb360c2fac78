import ChevronRight from "lucide-react/icons/chevron-right";
import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { findSettings, sectionPath, settingsPages } from "../features/admin/settings/settings-pages.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { controlClass } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-settings";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Settings");

export const loader = adminLoader(async (_: Route.LoaderArgs) => null);

/** Index of all settings, with a search. */
export default function SettingsTab() {
  const [query, setQuery] = useState("");
  const isSearching = query.trim() !== "";
  const rows = isSearching
    ? findSettings(query).map(({ page, ...match }) => ({ ...match, hint: page }))
    : settingsPages.map(({ page, title, hint }) => ({ to: `/admin/settings/${page}`, label: title, hint }));
  useOldUrlRedirect();
  return (
    <AdminPage title="Settings">
      <search className="mb-5 block max-w-120">
        <input
          type="search"
          aria-label="Find a setting"
          placeholder="Find a setting"
          value={query}
          className={`${controlClass} min-h-11! py-2!`}
          onChange={(event) => setQuery(event.target.value)}
        />
        <p role="status" className={isSearching ? "mt-2 text-small text-ink-muted" : "sr-only"}>
          {isSearching &&
            (rows.length === 0 ? `No setting matches “${query.trim()}”.` : `${rows.length} found`)}
        </p>
      </search>
      {rows.length > 0 && (
        <ul
          className={`grid gap-px overflow-hidden rounded-md border border-line bg-line ${isSearching ? "" : "md:grid-cols-2 md:*:last:odd:col-span-2"}`}
        >
          {rows.map((row) => (
            <Row key={row.to} {...row} />
          ))}
        </ul>
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Settings", "Failed to load the settings");

function Row({ to, label, hint }: { to: string; label: string; hint: string }) {
  return (
    <li className="bg-surface">
      <Link
        to={to}
        className="flex min-h-16 items-center justify-between gap-4 px-4 py-2.5 no-underline -outline-offset-2! hover:bg-cream-soft"
      >
        <span className="min-w-0">
          <span className="block text-ui font-medium">{label}</span>
          <span className="block text-small text-ink-muted">{hint}</span>
        </span>
        <Icon glyph={ChevronRight} size="small" className="text-ink-muted" />
      </Link>
    </li>
  );
}

/** Redirects old links: all settings were once on this page, each section under its own `#name`. */
function useOldUrlRedirect(): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const path = sectionPath(hash.slice(1));
  useEffect(() => {
    if (path !== null) void navigate(path, { replace: true });
  }, [path, navigate]);
}
