import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import type { ApiBody } from "../../../shop-context.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ShortDay } from "../kit/short-day.tsx";

type Text = ApiBody<"GET /api/admin/content">["data"][number];

/** The pages whose text can be edited, each with its state. */
export function ContentList({ texts }: { texts: readonly Text[] }) {
  return (
    <AdminPage title="Pages and policies">
      <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-2">
        {texts.map((text) => (
          <TextLink key={text.key} to={`/admin/content/${text.key}`} name={text.name} text={text} />
        ))}
      </ul>
      <p className="mt-4 max-w-232 text-small text-ink-muted">
        Prices, days and addresses in these texts are placeholders that follow your settings. Texts you have
        not edited follow the shop’s updates.
      </p>
    </AdminPage>
  );
}

type Group = ApiBody<"GET /api/admin/email-texts">["data"][number];

/** The e-mails whose text can be edited, grouped by topic. */
export function EmailList({ groups }: { groups: readonly Group[] }) {
  return (
    <AdminPage title="Emails">
      <p className="mb-5 max-w-232 text-small text-ink-muted">
        What shoppers get, and when. Products, totals, addresses, links and the footer are filled in by the
        shop.
      </p>
      <div className="grid gap-6">
        {groups.map(({ key, name, emails }) => (
          <section key={key} aria-labelledby={`group-${key}`}>
            <h2 id={`group-${key}`} className="mb-2 font-sans text-ui font-semibold tracking-normal">
              {name}
            </h2>
            <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-2">
              {emails.map((email) => (
                <TextLink
                  key={email.kind}
                  to={`/admin/content/emails/${email.kind}`}
                  name={email.name}
                  when={email.when}
                  text={email}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </AdminPage>
  );
}

type Stamp = { at: string; by: string };

/** A line of a list of texts, with its title and state. */
function TextLink({
  to,
  name,
  when,
  text: { published, draft, isShippedNewer },
}: {
  to: string;
  name: string;
  when?: string;
  text: { published: Stamp | null; draft: Stamp | null; isShippedNewer: boolean };
}) {
  return (
    <li className="bg-surface md:last:odd:col-span-2">
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
            {published && (
              <>
                Your text, {published.by}, <ShortDay iso={published.at} />
              </>
            )}
          </span>
        </span>
        <Icon glyph={ChevronRight} size="small" className="text-ink-muted" />
      </Link>
    </li>
  );
}
