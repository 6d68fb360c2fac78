import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import type { ApiBody } from "../../../shop-context.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ShortDay } from "../kit/short-day.tsx";

type Text = ApiBody<"GET /api/admin/content">["data"][number];

/** The texts that can be edited, and how each of them stands. */
export function ContentList({ texts }: { texts: readonly Text[] }) {
  return (
    <AdminPage title="Pages and policies">
      <ul className="grid max-w-232 overflow-hidden rounded-md border border-line bg-surface md:grid-cols-2">
        {texts.map((text) => (
          <li key={text.key} className="-mt-px border-t border-line">
            <Link
              to={`/admin/content/${text.key}`}
              className="flex min-h-16 items-center justify-between gap-4 px-4 py-2.5 no-underline -outline-offset-2! hover:bg-cream-soft"
            >
              <span className="min-w-0">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui font-medium">
                  {text.name}
                  {text.draft && <Badge tone="yellow">Draft</Badge>}
                  {text.isShippedNewer && <Badge tone="blue">Update available</Badge>}
                </span>
                <span className="block text-small text-ink-muted">
                  {text.published ? (
                    <>
                      Your text, {text.published.by}, <ShortDay iso={text.published.at} />
                    </>
                  ) : (
                    "The shop’s own text"
                  )}
                </span>
              </span>
              <Icon glyph={ChevronRight} size="small" className="shrink-0 text-ink-muted" />
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-4 max-w-232 text-small text-ink-muted">
        Prices, days and addresses in these texts are placeholders that follow your settings. A text you never
        edit gets better with each update of the shop.
      </p>
    </AdminPage>
  );
}
