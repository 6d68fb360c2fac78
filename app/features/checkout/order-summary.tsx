import ChevronDown from "lucide-react/icons/chevron-down";
import Gift from "lucide-react/icons/gift";
import Lock from "lucide-react/icons/lock";
import { bundleNote, priceUnits } from "../../../domain/catalog/bundles.ts";
import { sizeBeside } from "../../../domain/catalog/size-name.ts";
import type { Totals } from "../../../domain/checkout/totals.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Panel } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LineImage } from "../cart/cart-line.tsx";
import type { CartItem } from "../cart/cart-storage.ts";
import { TotalsList } from "./totals-list.tsx";
import { useTotalText } from "./use-total-text.ts";

/** `gift`: sender and note on one line; null if the order is not a gift. */
type OrderContent = {
  items: readonly CartItem[];
  totals: Totals;
  /** Shown instead of a tax that is not known yet; null if it is known. */
  taxPending: string | null;
  discountCode: string | null;
  gift: string | null;
};

/** The summary beside the form, on wide screens. */
export function SummaryAside({ content }: { content: OrderContent | null }) {
  return (
    <aside aria-labelledby="summary-title" className="hidden lg:sticky lg:top-8 lg:block">
      <Panel>
        <h2 id="summary-title" className="mb-5 text-h3">
          Order Summary
        </h2>
        {content ? <SummaryContent {...content} /> : <Skeleton className="h-64" />}
        <p className="mt-5 flex items-center gap-2 text-caption text-ink-muted">
          <Icon glyph={Lock} size="small" /> Secure checkout with SSL encryption
        </p>
      </Panel>
    </aside>
  );
}

/** The summary on phones: a strip with the total, which opens when pressed. */
export function SummaryStrip({ content }: { content: OrderContent | null }) {
  const totalText = useTotalText();
  return (
    <details className="group border-y border-line bg-cream-soft lg:hidden">
      <summary className="wrap flex min-h-14 list-none items-center justify-between text-ui font-medium [&::-webkit-details-marker]:hidden">
        <span className="flex items-center gap-2">
          Order Summary
          <Icon
            glyph={ChevronDown}
            size="small"
            className="transition-transform duration-(--dur-2) group-open:rotate-180"
          />
        </span>
        {content && <span className="font-semibold tabular-nums">{totalText(knownTotal(content))}</span>}
      </summary>
      <div className="wrap pt-2 pb-6">
        {content ? <SummaryContent {...content} /> : <Skeleton className="h-64" />}
      </div>
    </details>
  );
}

/** The total, without the tax until it is known. */
export function knownTotal({ totals, taxPending }: Pick<OrderContent, "totals" | "taxPending">): number {
  return taxPending ? totals.total - totals.tax : totals.total;
}

function SummaryContent({ items, totals, taxPending, discountCode, gift }: OrderContent) {
  return (
    <>
      <ul className="grid gap-4">
        {items.map(({ product, quantity }) => {
          const { total, bundles, saving } = priceUnits(product.price, quantity, product.bundles);
          const note = bundleNote(bundles, saving);
          return (
            <li key={product.id} className="grid grid-cols-[60px_1fr_auto] items-center gap-4 text-ui">
              <LineImage image={product.images[0]} sizes="60px" className="h-18 w-15 rounded-xs" />
              <span className="text-balance wrap-anywhere">
                {`${quantity} × ${product.name}`}
                <span className="block text-small text-ink-muted">{sizeBeside(product)}</span>
                {note && <span className="block text-small text-success">{note}</span>}
              </span>
              <span className="tabular-nums">{formatCents(total)}</span>
            </li>
          );
        })}
      </ul>
      {gift !== null && (
        <p className="mt-4 flex items-start gap-2.5 text-small text-ink-muted">
          <Icon glyph={Gift} className="mt-0.5 size-4.5 text-gold-600" />
          <span className="wrap-anywhere">
            <span className="font-medium text-ink">Gift.</span> {gift}
          </span>
        </p>
      )}
      <div className="mt-6 border-t border-sand pt-6">
        <TotalsList totals={totals} taxPending={taxPending} discountCode={discountCode} />
      </div>
    </>
  );
}
