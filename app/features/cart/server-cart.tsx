import Lock from "lucide-react/icons/lock";
import Package from "lucide-react/icons/package";
import type { ReactNode } from "react";
import type { Cart, CartLine } from "../../../domain/cart/cart.ts";
import { maxQuantity } from "../../../domain/cart/cart-limits.ts";
import { bundleNote } from "../../../domain/catalog/bundles.ts";
import { taxWaitsForAddress } from "../../../domain/checkout/tax.ts";
import { automaticText } from "../../../domain/discounts/discount-terms.ts";
import { countryInSentence } from "../../../domain/shared/country.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { homeCountry } from "../../../domain/shipping/shipping-policy.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { TextButton, textLinkClass } from "../../ui/text-button.tsx";
import { TotalsList } from "../checkout/totals-list.tsx";
import { TwoColumns } from "../checkout/two-columns.tsx";
import { blockedText } from "./cart-line.tsx";
import type { CartPolicies } from "./cart-totals.ts";
import { FreeShippingBox } from "./free-shipping-box.tsx";

/** The lines of the server's cart, with forms that work without JavaScript. `problem`: error code of the last form. */
export function ServerCart({
  cart: { items, totals, automaticDiscount },
  policies,
  problem,
}: {
  cart: Cart;
  policies: CartPolicies;
  problem: string | null;
}) {
  const isBlocked = items.some(({ available, quantity }) => available < quantity);
  const [first] = items;
  return (
    <>
      {problem !== null && (
        <Banner className="mb-8" title="Your cart was not changed.">
          {problemText(problem)}
        </Banner>
      )}
      {first && (
        <TwoColumns className="pb-(--section-y)">
          <section aria-label="Items in your cart">
            <ul className="border-b border-line">
              {items.map((line) => (
                <ServerCartLine key={line.productId} line={line} />
              ))}
            </ul>
            <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 md:mt-5">
              <PageLink to="/" className={textLinkClass}>
                Continue Shopping
              </PageLink>
              <CartForm change="clear">
                <TextButton type="submit">Clear Cart</TextButton>
              </CartForm>
            </div>
          </section>
          <Panel className="max-md:rounded-none max-md:bg-transparent max-md:p-0">
            <h2 id="order-summary" className="mb-2 text-h3 md:mb-4">
              Order Summary
            </h2>
            <div className="mb-5 empty:hidden">
              <FreeShippingBox
                policy={policies.shipping}
                country={homeCountry}
                totals={totals}
                addButton={
                  first.available > first.quantity && (
                    <form method="post" action="/cart/add" className="order-last">
                      <input type="hidden" name="productId" value={first.productId} />
                      <TextButton type="submit">
                        {items.length === 1 ? "Add one more bottle" : `Add one more ${first.name}`}
                      </TextButton>
                    </form>
                  )
                }
              />
            </div>
            <TotalsList
              totals={totals}
              taxPending={taxWaitsForAddress(policies.tax, homeCountry) ? "at checkout" : null}
              discountCode={automaticDiscount?.name ?? null}
            />
            {automaticDiscount && (
              <p className="mt-4 text-small text-ink-muted">{automaticText(automaticDiscount.name)}</p>
            )}
            <p className="mt-4 text-small text-ink-muted">
              Prices are for {countryInSentence(homeCountry)}. Choose another country at checkout.
            </p>
            {isBlocked && (
              <Banner tone="warning" className="mt-6">
                {blockedText}
              </Banner>
            )}
            <form action="/checkout" className="mt-6">
              <input type="hidden" name="kept" value="1" />
              <Button type="submit" block disabled={isBlocked}>
                <Icon glyph={Lock} size="small" /> Secure Checkout
              </Button>
            </form>
            <p className="mt-3.5 text-center text-caption text-ink-muted">
              Secure checkout with SSL encryption
            </p>
          </Panel>
        </TwoColumns>
      )}
    </>
  );
}

function ServerCartLine({ line }: { line: CartLine }) {
  const { productId, slug, name, image, price, quantity, total, available, bundles, bundleSaving } = line;
  const note = bundleNote(bundles, bundleSaving);
  return (
    <li className="grid grid-cols-[92px_1fr] gap-4 border-t border-line py-5 md:grid-cols-[104px_1fr] md:gap-5 md:py-6">
      {image === null ? (
        <span className="grid aspect-4/5 w-full place-items-center bg-cream text-copper-700">
          <Icon glyph={Package} size="large" />
        </span>
      ) : (
        <img
          src={image}
          alt=""
          width={104}
          height={130}
          className="aspect-4/5 w-full bg-cream object-cover"
        />
      )}
      <div>
        <p className="flex justify-between gap-4 font-medium">
          <a
            href={`/product/${slug}`}
            className="-my-2.5 py-2.5 text-balance wrap-anywhere no-underline hover:underline"
          >
            {name}
          </a>
          <span className="font-semibold tabular-nums">{formatCents(total)}</span>
        </p>
        {quantity > 1 && <p className="text-small text-ink-muted tabular-nums">{formatCents(price)} each</p>}
        {note && <p className="text-small text-success">{note}</p>}
        {available < quantity && (
          <p className="mt-1">
            <Badge tone="red">{available > 0 ? `Only ${available} left` : "Sold out"}</Badge>
          </p>
        )}
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4">
          <CartForm change="set" productId={productId} className="flex items-center gap-2.5">
            <input
              type="number"
              name="quantity"
              defaultValue={quantity}
              min={1}
              max={maxQuantity}
              aria-label={`Quantity of ${name}`}
              className="h-11 w-16 rounded-sm border border-line-strong bg-surface text-center font-medium tabular-nums"
            />
            <Button type="submit" size="small" variant="secondary">
              Update
            </Button>
          </CartForm>
          <CartForm change="remove" productId={productId}>
            <TextButton type="submit">
              <span>
                Remove<span className="sr-only"> {name}</span>
              </span>
            </TextButton>
          </CartForm>
        </div>
      </div>
    </li>
  );
}

function CartForm({
  change,
  productId,
  className,
  children,
}: {
  change: "set" | "remove" | "clear";
  productId?: number;
  className?: string;
  children: ReactNode;
}) {
  return (
    <form method="post" action="/cart" className={className}>
      <input type="hidden" name="change" value={change} />
      {productId !== undefined && <input type="hidden" name="productId" value={productId} />}
      {children}
    </form>
  );
}

function problemText(problem: string): string {
  if (problem === "busy") return "That was very quick. Please wait a moment and try again.";
  if (problem === "not_found") return "This product is no longer available.";
  if (problem === "validation_failed") return "The cart is full. Remove something to make room.";
  return "Please try again in a moment.";
}
