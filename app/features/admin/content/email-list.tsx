import type { ApiBody } from "../../../shop-context.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { ContentNav } from "./content-nav.tsx";
import { TextLink } from "./text-link.tsx";

type Group = ApiBody<"GET /api/admin/email-texts">["data"][number];

/** The e-mails whose text can be edited, by what they are about. */
export function EmailList({ groups }: { groups: readonly Group[] }) {
  return (
    <AdminPage title="Emails">
      <ContentNav />
      <p className="mb-5 max-w-232 text-small text-ink-muted">
        What shoppers get, and when. Products, totals, addresses, links and the footer are put in by the shop.
      </p>
      <div className="grid max-w-232 gap-6">
        {groups.map(({ key, name, emails }) => (
          <section key={key} aria-labelledby={`group-${key}`}>
            <h2 id={`group-${key}`} className="mb-2 font-sans text-ui font-semibold tracking-normal">
              {name}
            </h2>
            <ul className="grid overflow-hidden rounded-md border border-line bg-surface md:grid-cols-2">
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
