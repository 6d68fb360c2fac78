import { Link, useLocation } from "react-router";
import { settingsPages } from "./settings-pages.ts";

/** Links to all pages of the settings, beside the current one on wide screens. */
export function SettingsMenu() {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Settings" className="max-xl:hidden">
      <ul className="sticky top-4">
        {settingsPages.map(({ page, title }) => (
          <li key={page}>
            <Link
              to={`/admin/settings/${page}`}
              aria-current={pathname === `/admin/settings/${page}` ? "page" : undefined}
              className="flex min-h-10 items-center rounded-sm px-3 text-ui text-ink-muted no-underline hover:bg-cream-soft aria-[current=page]:bg-cream aria-[current=page]:font-medium aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
