import { useRef, useState } from "react";
import { emailProblem, visibleEmail } from "../../../../domain/shared/email-text.ts";
import { useBrowserState } from "../../../ui/browser-state.ts";
import { pressOver } from "../../../ui/press-over.ts";
import { callApi } from "../../api.ts";
import type { CartItem } from "../../cart/cart-storage.ts";
import { readReminderWish, saveReminderWish } from "./reminder-wish.ts";

export type ReminderState = "off" | "on" | "unsaved" | "stuck";

/**
 * The wish to have the cart e-mailed, kept by the server as soon as there is an address to send it to. Checkout goes on
 * whatever becomes of it.
 */
export function useReminder(email: string, items: readonly CartItem[]) {
  const [isWanted, setWanted] = useBrowserState(false, readReminderWish);
  const [state, setState] = useState<ReminderState>("off");
  /** What the server has, as text; null: nothing, as far as we know. */
  const kept = useRef<string | null>(null);
  // One call after the other: a late "keep it" must not undo a "forget it".
  const queue = useRef<Promise<void>>(Promise.resolve());
  const call = (task: () => Promise<void>) => {
    queue.current = queue.current.then(task);
  };

  const keep = () => {
    if (emailProblem(email) !== null || items.length === 0) return;
    const body = {
      email: visibleEmail(email),
      items: items.map(({ product, quantity }) => ({ productId: product.id, quantity })),
    };
    const news = JSON.stringify(body);
    call(async () => {
      if (news === kept.current) return;
      const answer = await callApi("POST /api/checkout/reminder", { body });
      kept.current = answer.ok ? news : null;
      await pressOver();
      setState(answer.ok ? "on" : "unsaved");
    });
  };

  const forget = () =>
    call(async () => {
      const answer = await callApi("DELETE /api/checkout/reminder");
      await pressOver();
      setState(answer.ok ? "off" : "stuck");
      if (answer.ok) {
        kept.current = null;
        return;
      }
      setWanted(true);
      saveReminderWish(true);
    });

  return {
    isWanted,
    state,
    change(next: boolean) {
      setWanted(next);
      saveReminderWish(next);
      if (next) keep();
      else forget();
    },
    /** When the address or the cart may have changed. */
    refresh: () => {
      if (isWanted) keep();
    },
  };
}
