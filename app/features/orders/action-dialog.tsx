import { type ReactNode, useEffect, useRef } from "react";
import type { Order } from "../../../domain/orders/order.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import type { OrderAction, OrderCall } from "./use-order-action.ts";

export type ActionDialogProps = {
  order: Order;
  action: OrderAction;
  open: boolean;
  onClose(): void;
  onSend(call: OrderCall): void;
};

/** Asks the buyer to confirm an action on an order. `children` are the fields of its form. */
export function ActionDialog({
  action: { isBusy, problem },
  open,
  onClose,
  onSubmit,
  title,
  description,
  cancelLabel,
  confirmLabel,
  busyText,
  danger = false,
  children,
}: Pick<ActionDialogProps, "action" | "open" | "onClose"> & {
  onSubmit(): void;
  title: string;
  description: ReactNode;
  cancelLabel: string;
  confirmLabel: string;
  busyText: string;
  danger?: boolean;
  children?: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  // Focuses the field that the server refused.
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problem]);
  const formId = `${title.toLowerCase().replace(/\W+/g, "-")}-form`;
  return (
    <Dialog
      open={open}
      onClose={() => isBusy || onClose()}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={danger ? "danger" : "primary"}
            busy={isBusy}
            busyText={busyText}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        className="mt-5 grid gap-4 empty:mt-0"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {problem && problem.error !== "invalid_state" && Object.keys(problem.fields).length === 0 && (
          <Banner>{problem.message}</Banner>
        )}
        {children}
      </form>
    </Dialog>
  );
}
