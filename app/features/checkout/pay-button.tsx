import Lock from "lucide-react/icons/lock";
import { formatCents } from "../../../domain/money.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

/** Pays `cents`; while busy it stays on screen with the amount. */
export function PayButton({ cents, isBusy }: { cents: number; isBusy: boolean }) {
  const amount = <span className="tabular-nums">{formatCents(cents)}</span>;
  return (
    <div>
      <Button
        type="submit"
        block
        busy={isBusy}
        busyText={<span>Processing payment of {amount}</span>}
        aria-label={isBusy ? undefined : `Pay ${formatCents(cents)}`}
      >
        <Icon glyph={Lock} size="small" />
        <span>Pay {amount}</span>
      </Button>
      <p className="mt-3 text-center text-caption text-ink-muted">
        Card details are never stored by this shop.
      </p>
    </div>
  );
}
