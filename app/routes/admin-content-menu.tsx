import type { ReactNode } from "react";
import { type Menu, type MenuLink, menuLimits } from "../../domain/content/menu.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { MenuLinks } from "../features/admin/content/menu-links.tsx";
import { PreviewPane } from "../features/admin/content/preview-pane.tsx";
import { TextFrame } from "../features/admin/content/text-frame.tsx";
import { useEditedText } from "../features/admin/content/use-edited-text.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { callApi } from "../features/api.ts";
import { useApiResult } from "../features/use-api-result.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import type { Route } from "./+types/admin-content-menu";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Menu");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  // The first call, because it checks the session.
  const { data: menu } = await read("GET /api/admin/menu");
  return { menu, versions: await read("GET /api/admin/menu/versions") };
});

/** The links of header, phone menu and footer. */
export default function AdminContentMenu({ loaderData: { menu: saved, versions } }: Route.ComponentProps) {
  const draft = useAdminAction("PUT /api/admin/menu/draft", { failure: null });
  const publication = useAdminAction("POST /api/admin/menu/publish", { failure: null });
  const editor = useEditedText<Menu>({
    saved,
    name: "Menu",
    draft: { ...draft, run: (body) => draft.run({ body }) },
    publication: { ...publication, run: (body) => publication.run({ body }) },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    publishEffect: "Shoppers see it from now on.",
  });
  const { editedText } = editor;
  const { body: check } = useApiResult(
    editedText,
    (text, signal) => callApi("POST /api/admin/menu/check", { body: { text }, signal }),
    debounceMs,
  );
  const problems: Record<string, string> = check?.data.problems ?? {};
  const fieldProblems: Record<string, string> = { ...problems, ...editor.fields };
  const field = editor.fieldsWith(fieldProblems);

  const toPlainText = ({ header, phone, footer, legal }: Menu) =>
    [
      ...menuLines("Header", header),
      ...menuLines("Phone menu", phone),
      ...footer.flatMap(({ title, links }) => [`Footer: ${title}`, ...menuLines(title, links)]),
      ...menuLines("Last line", legal),
    ].join("\n");

  return (
    <TextFrame
      name="Menu"
      saved={saved}
      versions={versions}
      loadOlder={(cursor) => callApi("GET /api/admin/menu/versions", { query: { cursor } })}
      editor={editor}
      problems={problems}
      warnings={[]}
      stateTexts={stateTexts}
      toPlainText={toPlainText}
      actions={
        <ButtonLink variant="secondary" size="small" to="/" target="_blank">
          Open the shop
        </ButtonLink>
      }
    >
      <div className="grid gap-8 xl:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div className="grid min-w-0 content-start gap-7">
          {group(
            "header",
            "Header",
            `At the top of every page, at most ${menuLimits.header.links} links and ${menuLimits.header.totalCharacters} characters.`,
          )}
          {group("phone", "Phone menu", "Below the links of the header.")}
          <section aria-labelledby="footer-heading" className="grid gap-4">
            <div>
              <h2 id="footer-heading" className="font-sans text-ui font-semibold tracking-normal">
                Footer
              </h2>
              <p id="footer" tabIndex={-1} className="text-small text-ink-muted">
                Three columns; your products stand at the top of the first. The four policies, My Orders and a
                way to contact you must be in the footer.
              </p>
              {fieldProblems.footer && (
                <p role="alert" className="mt-1 text-small text-danger">
                  {fieldProblems.footer}
                </p>
              )}
            </div>
            {editedText.footer.map((column, index) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no identity besides its place
                key={index}
                className="grid gap-3"
              >
                <Field {...field(`footer.${index}.title`)} label={`Title of column ${index + 1}`} />
                <MenuLinks
                  place={`footer.${index}`}
                  name={column.title || `Column ${index + 1}`}
                  links={column.links}
                  targets={saved.targets}
                  problems={fieldProblems}
                  onChange={field(`footer.${index}.links`).onChange}
                />
              </div>
            ))}
          </section>
          {group("legal", "Bottom line", "At the end of the footer, beside the copyright.")}
        </div>
        <MenuPreview
          menu={editedText}
          products={saved.targets.filter(({ to }) => to.startsWith("/product/"))}
        />
      </div>
    </TextFrame>
  );

  function group(place: "header" | "phone" | "legal", name: string, hint: string) {
    return (
      <section aria-labelledby={`${place}-heading`} className="stack gap-3">
        <div>
          <h2 id={`${place}-heading`} className="font-sans text-ui font-semibold tracking-normal">
            {name}
          </h2>
          <p className="text-small text-ink-muted">{hint}</p>
        </div>
        <MenuLinks
          place={place}
          name={name}
          links={editedText[place]}
          targets={saved.targets}
          problems={fieldProblems}
          onChange={field(place).onChange}
        />
      </section>
    );
  }
}

export const ErrorBoundary = problemPage("Menu", "Failed to load the menu");

const stateTexts = {
  standardInUse: "The standard menu is live.",
  draftUnpublished: "shoppers don’t see it yet.",
  publishEffect: "Shoppers see it at once.",
  discardEffect: "Shoppers still see the current menu.",
  historyEmpty: "Nothing was published yet: shoppers see the shop’s own menu.",
};

/** Pause in typing (ms) before the menu is checked. */
const debounceMs = 400;

const menuLines = (place: string, links: readonly MenuLink[]) =>
  links.map(({ label, to, isHidden }) => `${place}: ${label} (${to})${isHidden ? ", hidden" : ""}`);

/** Lists the links of header, phone menu and footer in order. */
function MenuPreview({ menu, products }: { menu: Menu; products: readonly { name: string }[] }) {
  return (
    <PreviewPane>
      <PreviewRow name="On a computer">
        <p className="flex flex-wrap justify-center gap-x-7 gap-y-1 rounded-md border border-line bg-paper px-4 py-4 text-ui font-medium">
          {labels(menu.header)}
        </p>
      </PreviewRow>
      <PreviewRow name="On a phone">
        <div className="max-w-80 rounded-md border border-line bg-paper px-4 py-3">
          <div className="type-display grid gap-2 text-xl *:border-b *:border-line *:pb-2">
            {labels(menu.header)}
          </div>
          <div className="mt-3 grid gap-1.5 text-small text-ink-muted">{labels(menu.phone)}</div>
        </div>
      </PreviewRow>
      <PreviewRow name="Footer">
        <div className="on-dark rounded-md bg-forest-800 p-4 text-small text-ink-on-dark">
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
            {menu.footer.map(({ title, links }, index) => (
              <div key={title} className="grid content-start gap-1.5 wrap-anywhere">
                <span className="font-medium text-copper-300">{title}</span>
                {index === 0 && products.map(({ name }) => <span key={name}>{name}</span>)}
                {labels(links)}
              </div>
            ))}
          </div>
          <p className="mt-4 flex flex-wrap gap-x-5 border-t border-line-on-dark pt-3 text-ink-on-dark-muted">
            {labels(menu.legal)}
          </p>
        </div>
      </PreviewRow>
    </PreviewPane>
  );
}

function PreviewRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <p className="mb-1 text-caption text-ink-muted">{name}</p>
      {children}
    </div>
  );
}

const labels = (links: readonly MenuLink[]) =>
  links
    .filter(({ isHidden }) => !isHidden)
    .map(({ label, to }) => <span key={`${label} ${to}`}>{label || "…"}</span>);
