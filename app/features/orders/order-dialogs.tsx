import type { ShopSettings } from "../../../domain/settings/settings.ts";
import type { ActionDialogProps } from "./action-dialog.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { ReturnDialog } from "./return-dialog.tsx";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

export type OrderDialogsProps = {
  propsOf(action: "cancel" | "return" | "withdraw"): ActionDialogProps;
  returns: ShopSettings["returns"];
};

/** What is asked before something is done with an order. All of them stay, so that what was written in one does. */
export function OrderDialogs({ propsOf, returns }: OrderDialogsProps) {
  return (
    <>
      <CancelDialog {...propsOf("cancel")} />
      <ReturnDialog {...propsOf("return")} returns={returns} />
      <WithdrawDialog {...propsOf("withdraw")} />
    </>
  );
}
