import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ProductImage } from "../../domain/product.ts";

/** What a toast says. `tone: "danger"` is for failures. */
export type ToastMessage = {
  title: string;
  description?: string;
  tone?: "normal" | "danger";
  /** Where to go on from here: `{ label: "View cart", to: "/cart" }`. */
  action?: { label: string; to: string };
  image?: ProductImage | undefined;
};

let shown: (ToastMessage & { id: number }) | null = null;
const listeners = new Set<() => void>();

/** Shows a toast in place of the one on screen, if any: there is one at a time. */
export function toast(message: ToastMessage): void {
  shown = { ...message, id: (shown?.id ?? 0) + 1 };
  for (const listener of listeners) listener();
}

// Radix's toast weighs several kB that no first view needs: it comes with the first message.
const ToastViewport = lazy(() =>
  import("./toast-viewport.tsx").then(({ ToastViewport }) => ({ default: ToastViewport })),
);

/** The place of toasts; once, in the root. */
export function Toasts() {
  const message = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  if (message === null) return null;
  return (
    <Suspense>
      <ToastViewport message={message} />
    </Suspense>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
