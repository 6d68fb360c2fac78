import Lock from "lucide-react/icons/lock";
import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/dialog";
import { type CSSProperties, type MouseEvent, useEffect, useRef, useState } from "react";
import type { Quote } from "../../../domain/cart/cart.ts";
import { sizeBeside } from "../../../domain/catalog/size-name.ts";
import { discountRow } from "../../../domain/discounts/discount.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { restoreFocus } from "../../ui/browser/focus.ts";
import { Button, ButtonLink, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { useCountryFromRoot, useShipsFree } from "../shipping/frame-country.ts";
import { blockedText, LineImage, LineProblem, lineProblem, maxLineQuantity } from "./cart-line.tsx";
import { useCart } from "./cart-store.ts";
import { AddOneMore, FreeShippingBox } from "./free-shipping-box.tsx";
import { Quantity } from "./quantity.tsx";
import { useCartQuote } from "./use-cart-quote.ts";

/**
 * Shows the cart after Add to Cart: beside the page, or at its bottom on a phone. The page stays usable; a press
 * outside, Escape and Back close the drawer.
 */
export function CartDrawer({
  quantity,
  name,
  pressedButton,
  onClose,
}: {
  quantity: number;
  name: string;
  /** Busy until the drawer is shown, so that further presses do nothing. */
  pressedButton: HTMLButtonElement;
  onClose: () => void;
}) {
  const { items, setQuantity, remove } = useCart();
  const previousFocus = useRef(document.activeElement);
  useEffect(() => pressedButton.removeAttribute("aria-busy"));
  const country = useCountryFromRoot();
  const shipsFree = useShipsFree();
  const quote = useCartQuote(country);
  const discount = quote && discountRow(quote.discount?.code ?? null, quote.totals.discount);
  const goBack = useCloseOnBack(onClose);
  const [top] = useState(headerBottom);
  const onClickCapture = useRepeatTapFilter();
  const isBlocked = items.some(lineProblem);

  return (
    <Radix.Root open modal={false} onOpenChange={(isOpen) => !isOpen && goBack()}>
      <Radix.Portal>
        <div
          style={{ top }}
          className="pointer-events-none fixed inset-x-0 bottom-0 z-(--z-scrim) animate-fade bg-scrim"
        />
        <Radix.Content
          style={{ "--drawer-top": `${top}px` } as CSSProperties}
          onClickCapture={onClickCapture}
          onOpenAutoFocus={(event) => {
            // Screen readers read out the whole drawer if the drawer itself has the focus.
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus(previousFocus.current);
          }}
          // Not `goBack`: it would cancel the navigation of a link pressed outside.
          onInteractOutside={(event) => {
            event.preventDefault();
            onClose();
          }}
          tabIndex={-1}
          className="fixed right-0 bottom-0 z-(--z-drawer) flex max-h-[calc(100dvh-var(--drawer-top))] w-screen animate-fade flex-col overflow-y-auto overscroll-contain rounded-t-lg bg-paper px-5 shadow-pop outline-1 outline-transparent md:top-(--drawer-top) md:w-112 md:rounded-none md:px-8"
        >
          <div className="top-0 z-(--z-raised) -mr-3 flex items-start justify-between gap-4 bg-paper pt-5 pb-4 [@media(min-height:36rem)]:sticky md:pt-7">
            <div className="min-w-0">
              <Radix.Title className="text-h3">Added to cart</Radix.Title>
              <Radix.Description role="status" className="text-small text-ink-muted">
                {quantity} × {name} added to your cart
              </Radix.Description>
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="shrink-0" data-closes-dialog>
                <Icon glyph={X} />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="flex-1">
            <ul className="border-b border-line">
              {items.map((item) => {
                const { product, quantity: units } = item;
                const problem = lineProblem(item);
                return (
                  <li
                    key={product.id}
                    className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-4 border-t border-line py-5"
                  >
                    <LineImage
                      image={product.images[0]}
                      sizes="(min-width: 48rem) 96px, 80px"
                      className="row-span-2 aspect-4/5 w-20 md:w-24"
                    />
                    <div className="min-w-0">
                      <p className="font-medium text-balance">{product.name}</p>
                      {problem ? (
                        <LineProblem item={item} className="-mt-2 -mb-1" />
                      ) : (
                        <p className="text-small text-ink-muted">{sizeBeside(product)}</p>
                      )}
                    </div>
                    <p className="font-semibold tabular-nums">
                      {formatCents(
                        quote?.items.find(({ productId }) => productId === product.id)?.total ??
                          product.price * units,
                      )}
                    </p>
                    <div className="col-span-2 mt-2 flex flex-wrap items-center justify-between gap-x-4 self-end">
                      <Quantity
                        size="small"
                        label={`Quantity of ${product.name}`}
                        value={units}
                        max={maxLineQuantity(item)}
                        disabled={problem?.buyable === 0}
                        onChange={(next) => setQuantity(product.id, next)}
                      />
                      <TextButton
                        onClick={() => {
                          remove(product.id);
                          if (items.length === 1) goBack();
                        }}
                      >
                        <span>
                          Remove<span className="sr-only"> {product.name}</span>
                        </span>
                      </TextButton>
                    </div>
                  </li>
                );
              })}
            </ul>
            {/* Reserves the height of the box. */}
            <div className={shipsFree ? "min-h-25 pt-2" : "empty:hidden"}>
              {quote && (
                <FreeShippingBox
                  policy={quotePolicy(quote, country)}
                  country={country}
                  totals={quote.totals}
                  addButton={<AddOneMore />}
                />
              )}
            </div>
          </div>
          <div className="bottom-0 z-(--z-raised) grid gap-1 bg-paper pt-4 pb-[calc(.75rem+env(safe-area-inset-bottom))] [@media(min-height:36rem)]:sticky">
            <p className="mb-2 flex justify-between gap-4">
              <span>Subtotal</span>
              <b className="font-semibold tabular-nums">
                {quote ? formatCents(quote.totals.subtotal) : "\u00a0"}
              </b>
            </p>
            {discount && (
              <p className="mb-2 flex justify-between gap-4 text-success">
                <span className="min-w-0 wrap-anywhere">{discount[0]}</span>
                <b className="font-semibold whitespace-nowrap tabular-nums">{discount[1]}</b>
              </p>
            )}
            <p role="status" className="mb-2 text-small empty:hidden">
              {isBlocked && blockedText}
            </p>
            {isBlocked ? (
              <Button block disabled>
                <Icon glyph={Lock} size="small" /> Secure Checkout
              </Button>
            ) : (
              <ButtonLink to="/checkout" replace block>
                <Icon glyph={Lock} size="small" /> Secure Checkout
              </ButtonLink>
            )}
            <p className="text-center">
              <PageLink
                to="/cart"
                replace
                className="inline-flex min-h-11 items-center text-small underline decoration-gold-500 underline-offset-[.25em]"
              >
                View cart
              </PageLink>
            </p>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const repeatTapMs = 1_000;
const repeatTapPx = 24;

/**
 * Ignores quick repeated taps at the place of the first one: on a phone they would hit Secure Checkout, which has appeared
 * under the finger.
 */
function useRepeatTapFilter() {
  const [[x, y]] = useState(() => window.lastClick ?? [-repeatTapPx, -repeatTapPx]);
  const lastTap = useRef(performance.now());
  return (event: MouseEvent) => {
    const isNearFirstClick = Math.hypot(event.clientX - x, event.clientY - y) < repeatTapPx;
    if (!isNearFirstClick || event.detail === 0 || event.timeStamp - lastTap.current > repeatTapMs) return;
    lastTap.current = event.timeStamp;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** A shipping policy made from a quote, which covers one country only: elsewhere, shipping is never free. */
function quotePolicy({ shippingOptions }: Quote, country: string): ShippingPolicy {
  const elsewhere = shippingOptions.map((option) => ({ ...option, price: 1, freeFrom: null }));
  return {
    zones: [
      { id: "there", countries: [country], options: shippingOptions },
      { id: "elsewhere", countries: "*", options: elsewhere },
    ],
  };
}

/** The bottom of the page's header (px), which the drawer does not cover. */
function headerBottom(): number {
  return Math.max(0, document.querySelector("header")?.getBoundingClientRect().bottom ?? 0);
}

/**
 * Makes Back close the drawer instead of leaving the page: opening the drawer adds a history entry with the same URL, which
 * the router does not notice. Returns a function that closes the drawer and removes the entry.
 */
function useCloseOnBack(onClose: () => void): () => void {
  const close = useRef(onClose);
  close.current = onClose;
  const hasEntry = useRef(false);
  useEffect(() => {
    // A drawer that was closed by a press outside has left its entry in the history.
    if (!hasEntry.current && !history.state?.drawer) {
      history.pushState({ ...history.state, drawer: true }, "");
    }
    hasEntry.current = true;
    const onBack = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      close.current();
    };
    window.addEventListener("popstate", onBack, { capture: true, once: true });
    return () => window.removeEventListener("popstate", onBack, { capture: true });
  }, []);
  const isLeaving = useRef(false);
  return () => {
    if (!isLeaving.current) history.back();
    isLeaving.current = true;
  };
}
