import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { Order } from "../../../domain/orders/order.ts";
import type { OrderActions as Actions } from "../../../domain/orders/order-actions.ts";
import { formatLastDay } from "../../../domain/orders/order-text.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { toast } from "../../ui/toast.tsx";
import type { DeliveryPolicies } from "./address-dialog.tsx";
import { orderNoticesId } from "./order-notices.tsx";
import { type OrderActionOutcome, type OrderCall, useOrderAction } from "./use-order-action.ts";

// Few buyers act on their order, so the dialogs are loaded when one is about to be opened.
const loadDialogs = () => import("./order-dialogs.tsx");
const OrderDialogs = lazy(() => loadDialogs().then((module) => ({ default: module.OrderDialogs })));

type ActionName = "cancel" | "address" | "return" | "withdraw";

/** Buttons for the actions that the buyer can take now, and a link to the contact form. */
export function OrderActions({
  order,
  returns,
  policies,
  children,
}: {
  order: Order & { actions: Actions };
  returns: ShopSettings["returns"];
  policies: DeliveryPolicies;
  /** A button that is shown before the actions. */
  children: ReactNode;
}) {
  const { cancel, changeAddress, returnUntil, withdrawUntil } = order.actions;
  const [openAction, setOpenAction] = useState<ActionName | null>(null);
  const [dialogs, setDialogs] = useState<"unneeded" | "loaded" | "missing">("unneeded");
  const [result, setResult] = useState<{ name: ActionName; outcome: OrderActionOutcome } | null>(null);
  const actions = {
    cancel: useOrderAction(),
    address: useOrderAction(),
    return: useOrderAction(),
    withdraw: useOrderAction(),
  };
  // The pressed button is gone, so the notices about the order get the focus.
  useEffect(() => {
    if (result?.outcome === "done" && result.name !== "address")
      document.getElementById(orderNoticesId)?.focus();
  }, [result]);

  const open = async (name: ActionName) => {
    try {
      await loadDialogs();
      setDialogs("loaded");
      setOpenAction(name);
    } catch {
      setDialogs("missing");
    }
  };
  const dialogFor = (name: ActionName) => ({
    order,
    action: actions[name],
    open: openAction === name,
    onClose: () => setOpenAction(null),
    onSend: async (call: OrderCall) => {
      const outcome = await actions[name].send(call);
      if (outcome !== "failed") setOpenAction(null);
      setResult({ name, outcome });
      if (name === "address" && outcome === "done")
        toast({
          title: "Address changed",
          description: "Your order will go there. We’ve emailed you about it.",
        });
    },
  });
  const isRefused = result?.outcome === "refused";
  const canAct = cancel || changeAddress || returnUntil !== null || withdrawUntil !== null;
  const notes = actionNotes(order);
  const button = (name: ActionName) => {
    const preload = () => void loadDialogs().catch(() => null);
    return {
      variant: "secondary",
      className: "noscript:hidden",
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => void open(name),
    } as const;
  };
  return (
    <div className="mt-6 grid gap-4 print:hidden">
      {isRefused && <Banner>{actions[result.name].problem?.message}</Banner>}
      {dialogs === "missing" && (
        <Banner>This could not be opened. Please check your connection and load the page again.</Banner>
      )}
      <div className="grid grid-cols-2 gap-2.5 *:first:col-span-full *:px-3 sm:flex sm:flex-wrap sm:gap-3 sm:*:px-7">
        {children}
        {changeAddress && <Button {...button("address")}>Change the address</Button>}
        {returnUntil && <Button {...button("return")}>Request a return</Button>}
        {cancel && <Button {...button("cancel")}>Cancel order</Button>}
        <ButtonLink to="/contact" variant="secondary" className="even:col-span-full">
          Ask a question
        </ButtonLink>
        {withdrawUntil && (
          <Button {...button("withdraw")} className="col-span-full noscript:hidden">
            Withdraw from contract
          </Button>
        )}
      </div>
      {canAct && (
        <noscript>
          <p className="text-small">
            Turn on JavaScript to change this order here, or write to us and we’ll do it for you.
          </p>
        </noscript>
      )}
      {notes.length > 0 && <p className="max-w-144 text-small text-ink-muted">{notes.join(" ")}</p>}
      {dialogs === "loaded" && (
        <Suspense>
          <OrderDialogs dialogProps={dialogFor} returns={returns} policies={policies} />
        </Suspense>
      )}
    </div>
  );
}

/** Sentences on which actions the buyer can take, and until when. */
function actionNotes({
  actions,
  status,
  allBackAt,
  fulfilment,
  exchangeOf,
  shipments,
  cancelledAt,
}: Order & { actions: Actions }): string[] {
  const { cancel, changeAddress, returnUntil, withdrawUntil } = actions;
  const notes: string[] = [];
  const isShippedInPart = shipments.length > 0 && fulfilment === null;
  if (isShippedInPart && cancelledAt === null && allBackAt === null && status !== "refunded")
    notes.push("Part of your order has shipped. The rest follows.");
  if (cancel && status === "pending" && exchangeOf !== null) notes.push("Cancelling it ends the exchange.");
  else if (cancel && status === "pending") notes.push("It hasn’t been paid, so cancelling it costs nothing.");
  else if (cancel && allBackAt !== null)
    notes.push("It won’t ship. Cancel it to get back the rest of what you paid.");
  else if (cancel) notes.push(`You can ${changeAddress ? "change or cancel" : "cancel"} it until it ships.`);
  if (returnUntil) notes.push(`You can ask for a return until ${formatLastDay(returnUntil)}.`);
  if (withdrawUntil) {
    const when = fulfilment?.deliveredAt
      ? `until ${formatLastDay(withdrawUntil)}`
      : `until ${withdrawalDays} days after you receive it`;
    notes.push(`As a buyer in the EU, the EEA or the UK you can withdraw without giving a reason ${when}.`);
  }
  return notes;
}
