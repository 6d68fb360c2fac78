import Ticket from "lucide-react/icons/ticket";
import { lazy, Suspense, useState } from "react";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";

export const LabelDialog = lazy(async () => ({
  default: (await import("./label-dialog.tsx")).LabelDialog,
}));

/** A button that buys a label for an order, instead of entering the tracking number of one bought elsewhere. */
export function BuyLabel({ order }: { order: AdminOrder }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex items-center justify-between gap-x-4 p-4 max-sm:py-3 lg:px-5">
      <p className="min-w-0 grow text-ui leading-snug max-sm:hidden">
        <b className="font-semibold">Buy the label here</b>, or enter the number of one you have.
      </p>
      <PanelButton className="shrink-0 max-sm:grow" onClick={() => setOpen(true)}>
        <Icon glyph={Ticket} size="small" /> Buy label
      </PanelButton>
      {isOpen && (
        <Suspense>
          <LabelDialog order={order} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
