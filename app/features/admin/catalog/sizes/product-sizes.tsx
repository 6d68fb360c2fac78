import { useState } from "react";
import { Link } from "react-router";
import type { AdminProduct } from "../../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { ConfirmCall } from "../../kit/confirm-dialog.tsx";
import { MoveButtons } from "../../kit/rows/move-buttons.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { AddSize, type JoinableProduct, JoinSize } from "./size-dialogs.tsx";

type Family = NonNullable<AdminProduct["family"]>;

/** The sizes of a product: each is a separate product with its own price, stock and page. */
export function ProductSizes({
  product,
  joinable,
}: {
  product: AdminProduct;
  /** Products that could become a size of it. */
  joinable: readonly JoinableProduct[];
}) {
  const [openDialog, setOpenDialog] = useState<"add" | "join" | "texts" | "leave" | null>(null);
  const { id, name, family, size, archivedAt } = product;
  const close = () => setOpenDialog(null);
  return (
    <section aria-labelledby="sizes" className="grid gap-3">
      <h2 id="sizes" className="text-h3">
        Sizes
      </h2>
      {family ? (
        <SizeList product={product} family={family} />
      ) : (
        <p className="text-small text-ink-muted">
          Sell it in several sizes: each has a price, stock and page of its own, and shoppers change between
          them. Reviews count for all.
        </p>
      )}
      {size === "" && (
        <p className="text-small">Write down the size of this one first, in the form with its texts.</p>
      )}
      {archivedAt === null && size !== "" && (
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="small" onClick={() => setOpenDialog("add")}>
            Add a size
          </Button>
          {joinable.length > 0 && (
            <Button variant="secondary" size="small" onClick={() => setOpenDialog("join")}>
              Add an existing product
            </Button>
          )}
        </div>
      )}
      {family && (
        <div className="-ml-4 flex flex-wrap">
          <Button variant="quiet" size="small" onClick={() => setOpenDialog("texts")}>
            Copy texts to the other sizes
          </Button>
          <Button variant="quiet" size="small" onClick={() => setOpenDialog("leave")}>
            Make {size} a product of its own
          </Button>
        </div>
      )}
      {openDialog === "add" && <AddSize product={product} onClose={close} />}
      {openDialog === "join" && <JoinSize product={product} joinable={joinable} onClose={close} />}
      {openDialog === "texts" && (
        <ConfirmCall
          call="POST /api/admin/products/:id/sizes/texts"
          success={({ data: { changed } }) => ({
            title:
              changed.length === 0 ? "The others have the same texts" : `Texts copied to ${list(changed)}`,
          })}
          title={`Copy the texts of ${size} to the other sizes?`}
          description={`As they are saved: descriptions, benefits, how to use, scent, how long it lasts and the video take the place of those of ${othersOf(product)}. Prices, pictures, addresses and numbers stay.`}
          confirmLabel="Copy texts"
          busyText="Copying..."
          danger={false}
          send={(run) => run({ params: { id } })}
          onClose={close}
        />
      )}
      {openDialog === "leave" && (
        <ConfirmCall
          call="DELETE /api/admin/products/:id/family"
          success={{ title: `${name} is a product of its own` }}
          title={`Make ${name} a product of its own?`}
          description={detachingText(family)}
          confirmLabel="Detach size"
          busyText="Detaching..."
          danger={false}
          send={(run) => run({ params: { id } })}
          onClose={close}
        />
      )}
    </section>
  );
}

const list = (words: readonly string[]) => new Intl.ListFormat("en-US").format(words);

function othersOf({ id, family }: AdminProduct): string {
  return list(family?.sizes.filter((one) => one.id !== id).map(({ size }) => size) ?? []);
}

function detachingText(family: Family | null): string {
  const rest =
    family?.sizes.length === 2 ? ` The other one is called ${family.name} again, without its size.` : "";
  return `It keeps its name, address, price and stock, and is no longer offered beside the others. Its reviews are its own again.${rest}`;
}

function SizeList({ product, family: { sizes } }: { product: AdminProduct; family: Family }) {
  const order = useAdminAction("PUT /api/admin/products/:id/sizes", { failure: null });
  const leading = sizes.find(({ published }) => published);
  const move = (from: number, to: number) => {
    const ids = sizes.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    void order.run({ params: { id: product.id }, body: { order: ids }, success: { title: "Order saved" } });
  };
  return (
    <>
      <p className="text-small text-ink-muted">
        In the order that shoppers see. The first one on show is what the home page and the menu lead to.
      </p>
      {order.problem && <Banner title="The order was not saved.">{order.problem.message}</Banner>}
      <ol className="grid">
        {sizes.map((one, place) => (
          <li
            key={one.id}
            className="flex items-center gap-2 border-t border-line py-2.5"
            aria-current={one.id === product.id ? "true" : undefined}
          >
            <div className="mr-auto grid min-w-0 gap-0.5">
              {one.id === product.id ? (
                <span className="inline-flex min-h-8 items-center font-medium wrap-anywhere">
                  {one.size} (this one)
                </span>
              ) : (
                <Link
                  to={`/admin/products/${one.id}`}
                  className="link inline-flex min-h-11 items-center wrap-anywhere"
                >
                  {one.size}
                </Link>
              )}
              <span className="text-small text-ink-muted tabular-nums">
                {formatCents(one.price)} · {one.stock.toLocaleString("en-US")} free to sell
              </span>
              <SizeBadges one={one} isLeading={one === leading} />
            </div>
            <MoveButtons
              what={one.size}
              onUp={place === 0 || order.busy ? null : () => move(place, place - 1)}
              onDown={place === sizes.length - 1 || order.busy ? null : () => move(place, place + 1)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

function SizeBadges({ one, isLeading }: { one: Family["sizes"][number]; isLeading: boolean }) {
  return (
    <span className="flex flex-wrap gap-2">
      {isLeading && <Badge tone="green">Shown first</Badge>}
      {one.archived ? (
        <Badge tone="cream">Archived</Badge>
      ) : (
        !one.published && <Badge tone="yellow">Not on show</Badge>
      )}
      {one.published && !one.inStock && <Badge tone="red">Sold out</Badge>}
    </span>
  );
}
