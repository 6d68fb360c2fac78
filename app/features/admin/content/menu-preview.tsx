import type { ReactNode } from "react";
import type { Menu, MenuLink } from "../../../../domain/content/menu.ts";

/** Lists the links of header, phone menu and footer in order. */
export function MenuPreview({ menu, products }: { menu: Menu; products: readonly { name: string }[] }) {
  return (
    <section
      aria-labelledby="preview"
      className="grid min-w-0 content-start gap-4 xl:sticky xl:top-6 xl:self-start"
    >
      <h2 id="preview" className="font-sans text-ui font-semibold tracking-normal">
        Preview
      </h2>
      <Piece name="On a desk">
        <p className="flex flex-wrap justify-center gap-x-7 gap-y-1 rounded-md border border-line bg-paper px-4 py-4 text-ui font-medium">
          {labels(menu.header)}
        </p>
      </Piece>
      <Piece name="On a phone">
        <div className="max-w-80 rounded-md border border-line bg-paper px-4 py-3">
          <div className="type-display grid gap-2 text-xl *:border-b *:border-line *:pb-2">
            {labels(menu.header)}
          </div>
          <div className="mt-3 grid gap-1.5 text-small text-ink-muted">{labels(menu.phone)}</div>
        </div>
      </Piece>
      <Piece name="Footer">
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
      </Piece>
    </section>
  );
}

function Piece({ name, children }: { name: string; children: ReactNode }) {
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
