import { lazy, Suspense, useSyncExternalStore } from "react";

// Hardly ever asked: it comes with the first question.
const ConfirmDialog = lazy(async () => ({
  default: (await import("./confirm-identity-dialog.tsx")).ConfirmIdentityDialog,
}));

let answer: ((isConfirmed: boolean) => void) | null = null;
let why = "";
let asked: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/** Asks once more who it is, over the page; false: given up. Calls that are refused at the same time ask once. */
export function confirmIdentity(message: string): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    why = message;
    answer = resolve;
    tell();
  });
  return asked;
}

function settle(isConfirmed: boolean): void {
  answer?.(isConfirmed);
  answer = null;
  asked = null;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The place of that question; once, in the frame. */
export function ConfirmIdentity() {
  const isAsked = useSyncExternalStore(
    subscribe,
    () => answer !== null,
    () => false,
  );
  if (!isAsked) return null;
  return (
    <Suspense>
      <ConfirmDialog why={why} onSettled={settle} />
    </Suspense>
  );
}
