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
  let openQuestion: { text: string; answer: Promise<boolean>; settle: (answer: boolean) => void } | null =
    null;
  const { notify, subscribe } = changeListeners();
  const set = (next: typeof openQuestion) => {
    openQuestion = next;
    notify();
  };
  return {
    ask(text: string): Promise<boolean> {
      if (openQuestion) return openQuestion.answer;
      let settle = (_answer: boolean) => {};
      const answer = new Promise<boolean>((resolve) => {
        settle = resolve;
      });
      set({ text, answer, settle });
      return answer;
    },
    settle(answer: boolean): void {
      openQuestion?.settle(answer);
      set(null);
    },
    /** The text of the open question, or null. */
    useText: () =>
      useSyncExternalStore(
        subscribe,
        () => openQuestion?.text ?? null,
        () => null,
      ),
  };
}

const unlockQuestion = sharedQuestion();
const confirmationQuestion = sharedQuestion();

/**
 * Makes a call of the panel. If the session has ended, asks for the access code in a dialog over the page, so that nothing
 * typed is lost, and repeats the call.
 */
export async function withUnlock<T>(call: () => Promise<ApiResult<T>>): Promise<ApiResult<T>> {
  const response = await call();
  if (response.ok || response.problem.status !== 401) return response;
  return (await askToUnlock()) ? call() : response;
}

/** Asks the user to unlock the panel, in a dialog over the page; false if they close it. */
export function askToUnlock(): Promise<boolean> {
  return unlockQuestion.ask("");
}

/** Asks the user to confirm their identity, in a dialog over the page; false if they close it. `reason`: the dialog's message. */
export function confirmIdentity(reason: string): Promise<boolean> {
  return confirmationQuestion.ask(reason);
}

/** The dialogs of both questions; rendered once, in the frame. */
export function SessionDialogs() {
  const isLocked = unlockQuestion.useText() !== null;
  const confirmationReason = confirmationQuestion.useText();
  return (
    <>
      <Dialog
        open={isLocked}
        onClose={() => unlockQuestion.settle(false)}
        title="The panel has locked itself"
        description="Your session has ended. Sign in again to continue; nothing you typed is lost."
      >
        <UnlockForm onUnlocked={() => unlockQuestion.settle(true)} />
      </Dialog>
      {confirmationReason !== null && (
        <Suspense>
          <ConfirmIdentityDialog reason={confirmationReason} onSettled={confirmationQuestion.settle} />
        </Suspense>
      )}
    </>
  );
}
