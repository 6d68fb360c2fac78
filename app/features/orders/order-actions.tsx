import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "react-router";
import type { Order } from "../../../domain/orders/order.ts";
import type { OrderActions as Actions } from "../../../domain/orders/order-actions.ts";
import { formatLastDay } from "../../../domain/orders/order-text.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { toast } from "../../ui/toast.tsx";
import type { DeliveryPolicies } from "./address-dialog.tsx";
import { orderNoticesId } from "./order-notices.tsx";
import { type OrderActionOutcome, type OrderCall, useOrderAction } from "./use-order-action.ts";

// Few buyers act on their order, so the dialogs are loaded when one is about to be opened.
const loadDialogs = () => import("./order-dialogs.tsx");
const OrderDialogs = lazy(() => loadDialogs().then((module) => ({ default: module.OrderDialogs })));

type ActionName = "cancel" | "address" | "return" | "withdraw";

/** The actions that the buyer can take now, and a link to the contact form. */
export function OrderActions({
  order,
  returns,
  policies,
}: {
  order: Order & { actions: Actions };
  returns: ShopSettings["returns"];
  policies: DeliveryPolicies;
}) {
  const { cancel, changeAddress, returnUntil, withdrawUntil } = order.actions;
  const [openAction, setOpenAction] = useState<ActionName | null>(null);
  const [dialogs, setDialogs] = useState<"unneeded" | "loaded" | "missing">("unneeded");
  const [last, setLast] = useState<{ name: ActionName; outcome: OrderActionOutcome } | null>(null);
  const actions = {
    cancel: useOrderAction(),
    address: useOrderAction(),
    return: useOrderAction(),
    withdraw: useOrderAction(),
  };
  // The pressed control has been removed: focus the notices about the order.
  useEffect(() => {
    if (last?.outcome === "done" && last.name !== "address") document.getElementById(orderNoticesId)?.focus();
  }, [last]);

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
    onOpenChange: (isOpen: boolean) => setOpenAction(isOpen ? name : null),
    onSend: async (call: OrderCall) => {
      const outcome = await actions[name].send(call);
      if (outcome !== "failed") setOpenAction(null);
      setLast({ name, outcome });
      if (name === "address" && outcome === "done")
        toast({
          title: "Address changed",
          description: "Your order will go there. We’ve emailed you about it.",
        });
    },
  });
  const isRefused = last?.outcome === "refused";
  if (!cancel && !returnUntil && !withdrawUntil && !isRefused) return <ContactHint number={order.number} />;
  return (
    <Panel className="grid gap-5 print:hidden">
      <h2 className="text-h3">Need to change something?</h2>
      {isRefused && <Banner>{actions[last.name].problem?.message}</Banner>}
      <noscript>
        <p className="text-small">
          Turn on JavaScript to do this here, or write to us and we’ll do it for you.
        </p>
      </noscript>
      {changeAddress && (
        <ActionButton
          note="Until it ships, as long as the order costs the same there."
          onOpen={() => open("address")}
        >
          Change the address
        </ActionButton>
      )}
      {cancel && (
        <ActionButton note={cancelNote(order)} onOpen={() => open("cancel")} danger>
          Cancel order
        </ActionButton>
      )}
      {returnUntil && (
        <ActionButton note={`Until ${formatLastDay(returnUntil)}.`} onOpen={() => open("return")}>
          Request a return
        </ActionButton>
      )}
      {withdrawUntil && (
        <ActionButton note={withdrawNote(order, withdrawUntil)} onOpen={() => open("withdraw")}>
          Withdraw from contract
        </ActionButton>
      )}
      {dialogs === "missing" && (
        <Banner>This could not be opened. Please check your connection and load the page again.</Banner>
      )}
      <ContactHint number={order.number} />
      {dialogs === "loaded" && (
        <Suspense>
          <OrderDialogs propsOf={dialogFor} returns={returns} policies={policies} />
        </Suspense>
      )}
    </Panel>
  );
}

function ContactHint({ number }: { number: number }) {
  return (
    <p className="text-small text-ink-muted print:hidden">
      Something not right?{" "}
      <Link to="/contact" className="link">
        Contact us
      </Link>{" "}
      and mention order #{number}.
    </p>
  );
}

function ActionButton({
  note,
  danger = false,
  onOpen,
  children,
}: {
  note: string;
  danger?: boolean;
  onOpen(): void;
  children: string;
}) {
  const preload = () => void loadDialogs().catch(() => null);
  return (
    <div className="grid gap-2 noscript:hidden">
      <Button
        variant={danger ? "danger-quiet" : "secondary"}
        size="small"
        block
        onPointerEnter={preload}
        onFocus={preload}
        onClick={onOpen}
      >
        {children}
      </Button>
      <p className="text-small text-ink-muted">{note}</p>
    </div>
  );
}

function cancelNote({ status, allBackAt }: Order): string {
  if (status === "pending") return "It hasn’t been paid, so nothing is charged.";
  return allBackAt === null
    ? "It hasn’t shipped yet. You get back what you paid."
    : "It won’t ship. You get back the rest of what you paid.";
}

function withdrawNote({ fulfilment }: Order, until: string): string {
  const when = fulfilment?.deliveredAt
    ? `until ${formatLastDay(until)}`
    : `until ${withdrawalDays} days after you receive it`;
  return `Your right as a buyer in the EU, the EEA or the UK, without giving a reason: ${when}.`;
}
