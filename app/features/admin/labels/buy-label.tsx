import Ticket from "lucide-react/icons/ticket";
import { type ComponentProps, lazy, Suspense } from "react";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import { Icon } from "../../../ui/icon.tsx";
import { DialogButton } from "../kit/action-button.tsx";

const LazyDialog = lazy(async () => ({ default: (await import("./label-dialog.tsx")).LabelDialog }));

/** Offers services for a parcel and buys its label; loaded when it is first opened. */
export function LabelDialog(props: ComponentProps<typeof LazyDialog>) {
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  );
}

/** A button that buys a label for an order, instead of entering the tracking number of one bought elsewhere. */
export function BuyLabel({ order }: { order: AdminOrder }) {
  return (
    <div className="flex items-center justify-between gap-x-4 p-4 max-sm:py-3 lg:px-5">
      <p className="min-w-0 grow text-ui leading-snug max-sm:hidden">
        <b className="font-semibold">Buy the label here</b>, or enter the number of one you have.
      </p>
      <DialogButton
        className="shrink-0 max-sm:grow"
        dialog={(onClose) => <LabelDialog order={order} onClose={onClose} />}
      >
        <Icon glyph={Ticket} size="small" /> Buy label
      </DialogButton>
    </div>
  );
}
