import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ShortDay } from "../kit/short-day.tsx";

type Stamp = { at: string; by: string };

/** A line of a list of texts: what it is called, and how it stands. */
export function TextLink({
  to,
  name,
  when,
  text: { published, draft, isShippedNewer },
}: {
  to: string;
  name: string;
  /** When the text is used. */
  when?: string;
  text: { published: Stamp | null; draft: Stamp | null; isShippedNewer: boolean };
}) {
  return (
    <li className="-mt-px border-t border-line">
      <Link
        to={to}
        className="flex min-h-16 items-center justify-between gap-4 px-4 py-2.5 no-underline -outline-offset-2! hover:bg-cream-soft"
      >
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ui font-medium">
            {name}
            {draft && <Badge tone="yellow">Draft</Badge>}
            {isShippedNewer && <Badge tone="blue">Update available</Badge>}
          </span>
          <span className="block text-small text-ink-muted">
            {when && `${when}. `}
            {published ? (
              <>
                Your text, {published.by}, <ShortDay iso={published.at} />
              </>
            ) : (
              !when && "Standard text"
            )}
          </span>
        </span>
        <Icon glyph={ChevronRight} size="small" className="shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}
