import { lazy, Suspense, useSyncExternalStore } from "react";
import { changeListeners } from "../../../ui/browser/browser-state.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import type { ApiResult } from "../../api.ts";
import { UnlockForm } from "./unlock-form.tsx";

// Rarely needed, so it is loaded with the first question.
const ConfirmIdentityDialog = lazy(async () => ({
  default: (await import("./confirm-identity-dialog.tsx")).ConfirmIdentityDialog,
}));

/** A question that API calls put to the user in one shared dialog. Calls that ask while it is open share its answer. */
function sharedQuestion() {
  let open: { text: string; answer: Promise<boolean>; settle: (answer: boolean) => void } | null = null;
  const { notify, subscribe } = changeListeners();
  const set = (next: typeof open) => {
    open = next;
    notify();
  };
  return {
    ask(text: string): Promise<boolean> {
      if (open) return open.answer;
      let settle = (_answer: boolean) => {};
      const answer = new Promise<boolean>((resolve) => {
        settle = resolve;
      });
      set({ text, answer, settle });
      return answer;
    },
    settle(answer: boolean): void {
      open?.settle(answer);
      set(null);
    },
    /** The text of the open question; null: none is open. */
    useText: () =>
      useSyncExternalStore(
        subscribe,
        () => open?.text ?? null,
        () => null,
      ),
  };
}

const unlocking = sharedQuestion();
const confirmation = sharedQuestion();

/**
 * Makes a call of the panel. If the session has ended, asks for the access code in a dialog over the page, so that nothing
 * typed is lost, and repeats the call.
 */
export async function withUnlock<T>(call: () => Promise<ApiResult<T>>): Promise<ApiResult<T>> {
  const first = await call();
  if (first.ok || first.problem.status !== 401) return first;
  return (await askToUnlock()) ? call() : first;
}

/** Asks to unlock the panel, over the page; false: the user has closed the dialog. */
export function askToUnlock(): Promise<boolean> {
  return unlocking.ask("");
}

/** Asks the user to confirm their identity, over the page; false: they cancelled. `reason`: a message for the dialog. */
export function confirmIdentity(reason: string): Promise<boolean> {
  return confirmation.ask(reason);
}

/** The dialogs of both questions; rendered once, in the frame. */
export function SessionDialogs() {
  const isLocked = unlocking.useText() !== null;
  const confirmationReason = confirmation.useText();
  return (
    <>
      <Dialog
        open={isLocked}
        onClose={() => unlocking.settle(false)}
        title="The panel has locked itself"
        description="Your session has ended. Sign in again to continue; nothing you typed is lost."
      >
        <UnlockForm onUnlocked={() => unlocking.settle(true)} />
      </Dialog>
      {confirmationReason !== null && (
        <Suspense>
          <ConfirmIdentityDialog reason={confirmationReason} onSettled={confirmation.settle} />
        </Suspense>
      )}
    </>
  );
}
