import Lock from "lucide-react/icons/lock";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

export function PayButton({ cents, isBusy }: { cents: number; isBusy: boolean }) {
  return (
    <div>
      <Button type="submit" block busy={isBusy} busyText="Processing payment">
        <Icon glyph={Lock} size="small" />
        <span className="tabular-nums">Pay {formatCents(cents)}</span>
      </Button>
      <p className="mt-3 text-center text-caption text-ink-muted">
        Card details are never stored by this shop.
      </p>
    </div>
  );
}
