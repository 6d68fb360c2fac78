import { useState } from "react";
import { bundleNote, priceUnits, savingOnOneMore } from "../../../domain/catalog/bundles.ts";
import { sizeBeside } from "../../../domain/catalog/size-name.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { LineImage, LineProblem, lineProblem, maxLineQuantity } from "./cart-line.tsx";
import type { CartItem } from "./cart-storage.ts";
import { useCart } from "./cart-store.ts";
import { fetchProduct } from "./product-call.ts";
import { Quantity } from "./quantity.tsx";
import { useRequestQuote } from "./use-cart-quote.ts";

/** The lines of the cart; cards on phones. `onRemoved` gets the name of the removed product. */
export function CartTable({ onRemoved }: { onRemoved: (name: string) => void }) {
  const { items } = useCart();
  return (
    <table className="block w-full border-collapse border-b border-line md:table">
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="text-small text-ink-muted *:border-b *:border-line *:pb-3 *:font-medium *:not-first:pl-4">
          <th scope="col" className="text-left">
            Product
          </th>
          <th scope="col" className="text-right">
            Price
          </th>
          <th scope="col">Quantity</th>
          <th scope="col" className="text-right">
            Total
          </th>
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {items.map((item) => (
          <CartRow key={item.product.id} item={item} onRemoved={onRemoved} />
        ))}
      </tbody>
    </table>
  );
}

const cell = "block md:table-cell md:border-t md:border-line md:py-6 md:align-middle md:not-first:pl-4";

function CartRow({ item, onRemoved }: { item: CartItem; onRemoved: (name: string) => void }) {
  const { setQuantity, remove } = useCart();
  const { product, quantity } = item;
  const problem = lineProblem(item);
  const price = priceUnits(product.price, quantity, product.bundles);
  const path = `/product/${product.slug}`;
  const removeLine = () => {
    remove(product.id);
    onRemoved(product.name);
  };
  return (
    <tr className="relative grid min-h-39 grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_auto_1fr_auto] gap-x-4 border-t border-line py-5 pl-[min(6.75rem,34vw)] md:table-row md:border-0 md:p-0">
      {/* On phones this cell's parts are cells of the row's grid, so that the size is between the name and the problem. */}
      <td className={`${cell} max-md:contents`}>
        <div className="max-md:contents md:grid md:grid-cols-[104px_1fr] md:items-center md:gap-5">
          <PageLink to={path} tabIndex={-1} aria-hidden="true" className="absolute top-5 left-0 md:static">
            <LineImage
              image={product.images[0]}
              sizes="104px"
              className="aspect-4/5 w-[min(5.75rem,29vw)] md:w-26"
            />
          </PageLink>
          <div className="max-md:contents">
            <p className="max-md:col-start-1 max-md:row-start-1">
              <PageLink
                to={path}
                className="-my-2.5 inline-block py-2.5 font-medium text-balance wrap-anywhere no-underline hover:underline md:my-0 md:py-0"
              >
                {product.name}
              </PageLink>
            </p>
            <p className="hidden text-small text-ink-muted md:block">{sizeBeside(product)}</p>
            <div className="max-md:col-span-full max-md:row-start-3">
              <LineProblem item={item} className="max-md:-mb-2" />
              <BundleLines item={item} onAdd={() => setQuantity(product.id, quantity + 1)} />
            </div>
            <RemoveButton name={product.name} className="max-md:hidden" onClick={removeLine} />
          </div>
        </div>
      </td>
      <td
        className={`${cell} text-small text-ink-muted max-md:col-span-full max-md:row-start-2 md:text-right md:text-body md:text-ink`}
      >
        <span className="md:hidden">{sizeBeside(product)}</span>
        <span className={`tabular-nums ${quantity === 1 ? "max-md:sr-only" : ""}`}>
          {sizeBeside(product) && <span className="md:hidden"> · </span>}
          {formatCents(product.price)}
          <span className="md:hidden"> each</span>
        </span>
      </td>
      <td className={`${cell} mt-3 max-md:row-start-4 md:text-center`}>
        <Quantity
          size="small"
          label={`Quantity of ${product.name}`}
          value={quantity}
          max={maxLineQuantity(item)}
          disabled={problem?.buyable === 0}
          onChange={(units) => setQuantity(product.id, units)}
        />
      </td>
      <td
        className={`${cell} text-right font-semibold tabular-nums max-md:col-start-2 max-md:row-start-1 ${problem?.buyable === 0 ? "line-through" : ""}`}
      >
        {price.saving > 0 && (
          <s className="block text-small font-normal text-ink-muted">
            <span className="sr-only">Instead of </span>
            {formatCents(price.listTotal)}
          </s>
        )}
        {formatCents(price.total)}
      </td>
      <td className="mt-3 self-center justify-self-end max-md:row-start-4 max-[22rem]:row-start-5 max-[22rem]:mt-0 max-[22rem]:justify-self-start md:hidden">
        <RemoveButton name={product.name} onClick={removeLine} />
      </td>
    </tr>
  );
}

/** Bundle savings of a cart line, and a button to add one more unit if that saves money. */
function BundleLines({ item, onAdd }: { item: CartItem; onAdd: () => void }) {
  const { product, quantity } = item;
  const { bundles, saving } = priceUnits(product.price, quantity, product.bundles);
  const note = bundleNote(bundles, saving);
  const savingOnNext =
    quantity < maxLineQuantity(item) ? savingOnOneMore(product.price, quantity, product.bundles) : 0;
  return (
    <>
      {note && <p className="mt-1 text-small text-success">{note}</p>}
      {savingOnNext > 0 && (
        <p>
          <TextButton onClick={onAdd}>
            Add one more, save {formatCents(savingOnNext)}
            <span className="sr-only"> on {product.name}</span>
          </TextButton>
        </p>
      )}
    </>
  );
}

function RemoveButton({
  name,
  className = "",
  onClick,
}: {
  name: string;
  className?: string;
  onClick: () => void;
}) {
  return (
    <TextButton className={className} onClick={onClick}>
      <span>
        Remove<span className="sr-only"> {name}</span>
      </span>
    </TextButton>
  );
}

/**
 * Fetches the current price of every line; after a failed request the old price stays. Must be placed in a wrapping flex
 * row, which shows the outcome on its last line.
 */
export function RefreshPrices() {
  const { items, updateProduct, setAvailable } = useCart();
  const requestQuote = useRequestQuote();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState("");

  const refresh = async () => {
    setBusy(true);
    setOutcome("");
    const responses = await Promise.all(
      items.map(async ({ product: { id, slug } }) => {
        const product = await fetchProduct(slug);
        if (typeof product !== "string") updateProduct(id, product);
        return { id, product };
      }),
    );
    // Only the quote counts units that this shopper's own unpaid order has reserved.
    await requestQuote(items);
    for (const { id, product } of responses) if (product === "gone") setAvailable(new Map([[id, null]]));
    setBusy(false);
    setOutcome(
      responses.every(({ product }) => product !== "unknown")
        ? "Prices are up to date."
        : "Some prices could not be checked and were kept. Please try again.",
    );
  };

  return (
    <>
      <TextButton disabled={isBusy} onClick={refresh}>
        {isBusy ? "Refreshing..." : "Refresh Prices"}
      </TextButton>
      <p role="status" className="order-last basis-full text-small text-ink-muted">
        {outcome}
      </p>
    </>
  );
}
