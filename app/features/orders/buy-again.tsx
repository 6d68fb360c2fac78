import type { MouseEvent } from "react";
import { buttonClass, Spinner } from "../../ui/button.tsx";
import { buyAgainPath, useBuyAgain } from "./use-buy-again.ts";

/**
 * Adds an order's items to the cart again and opens it. Without JavaScript, or in a new tab, the link opens a page that does
 * the same with a button.
 */
export function BuyAgain({
  order: { id, number },
  token = null,
  className = "",
}: {
  order: { id: string; number: number };
  token?: string | null;
  className?: string;
}) {
  const { isBusy, buyAgain } = useBuyAgain(id, token);
  return (
    <a
      href={buyAgainPath(id, token)}
      aria-busy={isBusy || undefined}
      className={`group ${buttonClass({ variant: "secondary", size: "small" })} ${className}`}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        void buyAgain();
      }}
    >
      <span className="group-aria-busy:invisible">
        Buy again<span className="sr-only">: order {number}</span>
      </span>
      {isBusy && (
        <span className="absolute">
          <Spinner />
        </span>
      )}
    </a>
  );
}

/** A click that opens the link in this tab. */
function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}
