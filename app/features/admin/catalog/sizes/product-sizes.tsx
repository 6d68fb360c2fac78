import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { Link } from "react-router";
import type { AdminProduct } from "../../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { PanelButton } from "../../kit/action-button.tsx";
import { ConfirmCall } from "../../kit/confirm-dialog.tsx";
import { MoveButtons } from "../../kit/rows/move-buttons.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { ProductThumbnail } from "../product-card.tsx";
import { AddSize, type JoinableProduct, JoinSize } from "./size-dialogs.tsx";

type Family = NonNullable<AdminProduct["family"]>;
type SizePictures = readonly Pick<AdminProduct, "id" | "images">[];

/** The sizes of a product: each is a separate product with its own price, stock and page. */
export function ProductSizes({
  product,
  joinableProducts,
  pictures,
}: {
  product: AdminProduct;
  /** Products that could become a size of this product. */
  joinableProducts: readonly JoinableProduct[];
  /** The first picture of each size that has one. */
  pictures: SizePictures;
}) {
  const [openDialog, setOpenDialog] = useState<"add" | "join" | "texts" | "leave" | null>(null);
  const { id, name, family, size, archivedAt } = product;
  const close = () => setOpenDialog(null);
  return (
    <section aria-labelledby="sizes">
      <div className="flex flex-wrap items-center justify-between gap-3 p-4 sm:px-5">
        <h2 id="sizes" className="card-title">
          Sizes
        </h2>
        {archivedAt === null && size !== "" && (
          <PanelButton onClick={() => setOpenDialog("add")}>
            <Icon glyph={Plus} size="small" /> Add a size
          </PanelButton>
        )}
      </div>
      {family ? (
        <SizeList product={product} family={family} pictures={pictures} />
      ) : (
        <p className="px-4 pb-4 text-small text-ink-muted sm:px-5">
          Sell it in several sizes: each has a price, stock and page of its own, and shoppers can switch
          between them. They share their reviews.
          {size === "" && (
            <strong className="block pt-2 font-medium text-ink">
              Enter the size of this product first, under Texts.
            </strong>
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-x-6 border-t border-line px-4 py-1.5 empty:hidden sm:px-5">
        {archivedAt === null && size !== "" && joinableProducts.length > 0 && (
          <TextButton onClick={() => setOpenDialog("join")}>Add an existing product</TextButton>
        )}
        {family && (
          <>
            <TextButton onClick={() => setOpenDialog("texts")}>Copy texts to the other sizes</TextButton>
            <TextButton onClick={() => setOpenDialog("leave")}>Make {size} a product of its own</TextButton>
          </>
        )}
      </div>
      {openDialog === "add" && <AddSize product={product} onClose={close} />}
      {openDialog === "join" && (
        <JoinSize product={product} joinableProducts={joinableProducts} onClose={close} />
      )}
      {openDialog === "texts" && (
        <ConfirmCall
          call="POST /api/admin/products/:id/sizes/texts"
          success={({ data: { changed } }) => ({
            title:
              changed.length === 0
                ? "The others have the same texts"
                : `Texts copied to ${joinNames(changed)}`,
          })}
          title={`Copy the texts of ${size} to the other sizes?`}
          description={`The saved descriptions, benefits, how to use, scent, how long it lasts and the video replace those of ${otherSizes(product)}. Prices, pictures, addresses and numbers stay.`}
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

const joinNames = (names: readonly string[]) => new Intl.ListFormat("en-US").format(names);

function otherSizes({ id, family }: AdminProduct): string {
  return joinNames(family?.sizes.filter((otherSize) => otherSize.id !== id).map(({ size }) => size) ?? []);
}

function detachingText(family: Family | null): string {
  const remainingSizeText =
    family?.sizes.length === 2 ? ` The other one is called ${family.name} again, without its size.` : "";
  return `It keeps its name, address, price and stock, and is no longer offered beside the others. Its reviews are no longer shared.${remainingSizeText}`;
}

function SizeList({
  product,
  family: { sizes },
  pictures,
}: {
  product: AdminProduct;
  family: Family;
  pictures: SizePictures;
}) {
  const reorder = useAdminAction("PUT /api/admin/products/:id/sizes", { failure: null });
  const shownFirst = sizes.find(({ published }) => published);
  const move = (from: number, to: number) => {
    const ids = sizes.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    void reorder.run({ params: { id: product.id }, body: { order: ids }, success: { title: "Order saved" } });
  };
  return (
    <>
      {reorder.problem && (
        <Banner className="mx-4 mb-4 sm:mx-5" title="The order was not saved.">
          {reorder.problem.message}
        </Banner>
      )}
      <ol>
        {sizes.map((member, index) => (
          <li
            key={member.id}
            className="flex items-center gap-x-2 border-t border-line py-2 pr-2 pl-4 sm:pl-5"
            aria-current={member.id === product.id ? "true" : undefined}
          >
            <span className="mr-1.5 shrink-0 [&_img]:h-14 [&_img]:w-11 [&>span]:h-14 [&>span]:w-11">
              <ProductThumbnail product={pictures.find(({ id }) => id === member.id) ?? { images: [] }} />
            </span>
            <div className="mr-auto grid min-w-0 gap-0.5">
              <span className="text-ui font-medium wrap-anywhere">
                {member.size}
                {member.id === product.id && <span className="font-normal text-ink-muted"> (this one)</span>}
              </span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-muted tabular-nums">
                {formatCents(member.price)} · {member.stock.toLocaleString("en-US")} available
                <SizeBadges size={member} isShownFirst={member === shownFirst} />
              </span>
            </div>
            {member.id !== product.id && (
              <Link
                to={`/admin/products/${member.id}`}
                className="link inline-flex min-h-11 min-w-11 items-center justify-center text-small"
              >
                Edit<span className="sr-only"> {member.size}</span>
              </Link>
            )}
            {sizes.length > 1 && (
              <MoveButtons
                name={member.size}
                onUp={index === 0 || reorder.busy ? null : () => move(index, index - 1)}
                onDown={index === sizes.length - 1 || reorder.busy ? null : () => move(index, index + 1)}
              />
            )}
          </li>
        ))}
      </ol>
      <p className="border-t border-line px-4 py-3 text-caption text-ink-muted sm:px-5">
        Shoppers see the sizes in this order. The home page and the menu lead to the first published size.
        Each size has its own pictures, on its page; without any, shoppers see those of the first one that has
        some.
      </p>
    </>
  );
}

function SizeBadges({ size, isShownFirst }: { size: Family["sizes"][number]; isShownFirst: boolean }) {
  return (
    <span className="flex flex-wrap gap-2">
      {isShownFirst && <Badge tone="green">Shown first</Badge>}
      {size.archived ? (
        <Badge tone="cream">Archived</Badge>
      ) : (
        !size.published && <Badge tone="yellow">Hidden</Badge>
      )}
      {size.published && !size.inStock && <Badge tone="red">Sold out</Badge>}
    </span>
  );
}
