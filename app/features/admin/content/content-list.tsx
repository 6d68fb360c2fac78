import type { ApiBody } from "../../../shop-context.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { ContentNav } from "./content-nav.tsx";
import { TextLink } from "./text-link.tsx";

type Text = ApiBody<"GET /api/admin/content">["data"][number];

/** The pages whose text can be edited, and how each of them stands. */
export function ContentList({ texts }: { texts: readonly Text[] }) {
  return (
    <AdminPage title="Pages and policies">
      <ContentNav />
      <ul className="grid max-w-232 overflow-hidden rounded-md border border-line bg-surface md:grid-cols-2">
        {texts.map((text) => (
          <TextLink key={text.key} to={`/admin/content/${text.key}`} name={text.name} text={text} />
        ))}
      </ul>
      <p className="mt-4 max-w-232 text-small text-ink-muted">
        Prices, days and addresses in these texts are placeholders that follow your settings. A text you never
        edit gets better with each update of the shop.
      </p>
    </AdminPage>
  );
}
