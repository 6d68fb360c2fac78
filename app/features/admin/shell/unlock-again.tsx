import { useSyncExternalStore } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import type { ApiAnswer } from "../../api.ts";
import { UnlockForm } from "./unlock-form.tsx";

let answer: ((isUnlocked: boolean) => void) | null = null;
let asked: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/**
 * Makes a call of the panel. If its session has ended meanwhile, asks for the access code over the page, where nothing
 * typed is lost, and makes the call again once it is unlocked.
 */
export async function withUnlock<T>(call: () => Promise<ApiAnswer<T>>): Promise<ApiAnswer<T>> {
  const first = await call();
  if (first.ok || first.problem.status !== 401) return first;
  return (await unlockAgain()) ? call() : first;
}

/** Calls that are refused at the same time ask once. */
function unlockAgain(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    answer = resolve;
    tell();
  });
  return asked;
}

function settle(isUnlocked: boolean): void {
  answer?.(isUnlocked);
  answer = null;
  asked = null;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** The place of that question; once, in the frame. */
export function UnlockAgain() {
  const isAsked = useSyncExternalStore(
    subscribe,
    () => answer !== null,
    () => false,
  );
  return (
    <Dialog
      open={isAsked}
      onOpenChange={() => settle(false)}
      title="The panel has locked itself"
      description="Your session is over. Sign in again to go on; nothing you typed is lost."
    >
      <UnlockForm onUnlocked={() => settle(true)} />
    </Dialog>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
