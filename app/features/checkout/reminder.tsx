import { useRef, useState } from "react";
import { emailProblem, visibleEmail } from "../../../domain/shared/email-text.ts";
import { useBrowserState } from "../../ui/browser/browser-state.ts";
import { waitForPointerRelease } from "../../ui/browser/pointer-release.ts";
import { callApi } from "../api.ts";
import type { CartItem } from "../cart/cart-storage.ts";
import { readReminderChoice, storeReminderChoice } from "./stored-checkout.ts";

type ReminderState = "off" | "on" | "saveFailed" | "cancelFailed";

/**
 * The shopper's request to have the cart e-mailed, stored by the server as soon as the form has an address. Failures do
 * not stop checkout.
 */
export function useReminder(email: string, items: readonly CartItem[]) {
  const [isWanted, setWanted] = useBrowserState(false, readReminderChoice);
  const [state, setState] = useState<ReminderState>("off");
  /** JSON of the reminder that the server has stored; null if it has stored none, or if that is unknown. */
  const storedReminder = useRef<string | null>(null);
  // Calls run one after the other: a late POST must not undo a DELETE.
  const queue = useRef<Promise<void>>(Promise.resolve());
  const enqueue = (task: () => Promise<void>) => {
    queue.current = queue.current.then(task);
  };

  const save = () => {
    if (emailProblem(email) !== null || items.length === 0) return;
    const body = {
      email: visibleEmail(email),
      items: items.map(({ product, quantity }) => ({ productId: product.id, quantity })),
    };
    const reminder = JSON.stringify(body);
    enqueue(async () => {
      if (reminder === storedReminder.current) return;
      const response = await callApi("POST /api/checkout/reminder", { body });
      storedReminder.current = response.ok ? reminder : null;
      await waitForPointerRelease();
      setState(response.ok ? "on" : "saveFailed");
    });
  };

  const cancel = () =>
    enqueue(async () => {
      const response = await callApi("DELETE /api/checkout/reminder");
      await waitForPointerRelease();
      setState(response.ok ? "off" : "cancelFailed");
      if (response.ok) {
        storedReminder.current = null;
        return;
      }
      setWanted(true);
      storeReminderChoice(true);
    });

  return {
    isWanted,
    state,
    change(next: boolean) {
      setWanted(next);
      storeReminderChoice(next);
      if (next) save();
      else cancel();
    },
    /** Call it when the address or the cart may have changed. */
    refresh: () => {
      if (isWanted) save();
    },
  };
}

const notes: Record<ReminderState, string> = {
  off: "One email after four hours, and none if you order.",
  on: "Saved. One email after four hours, and none if you order.",
  saveFailed: "We couldn’t save this, so no email will come. You can still order.",
  cancelFailed: "We couldn’t turn this off. Please try again.",
};

export function ReminderBox({
  isWanted,
  state,
  onChange,
}: {
  isWanted: boolean;
  state: ReminderState;
  onChange: (isWanted: boolean) => void;
}) {
  return (
    <div className="-mt-2 sm:col-span-2 noscript:hidden">
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={isWanted}
          aria-describedby="reminder-note"
          onChange={(event) => onChange(event.target.checked)}
          className="size-5 shrink-0 accent-forest-800"
        />
        Email me this cart once if I don’t finish
      </label>
      <p id="reminder-note" role="status" className="pl-8 text-caption text-ink-muted">
        {notes[state]}
      </p>
    </div>
  );
}
