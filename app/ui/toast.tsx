import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import type { ProductImage } from "../../domain/catalog/product.ts";
import { changeListeners } from "./browser/browser-state.ts";

/** Contents of a toast. `tone: "danger"` is for failures. */
export type ToastMessage = {
  title: string;
  description?: string;
  tone?: "normal" | "danger";
  /** A link, `{ label: "View cart", to: "/cart" }`, or a button, such as undo. */
  action?: { label: string; to: string } | { label: string; run: () => void };
  /** Time on screen; 5 s by default. */
  durationMs?: number;
  image?: ProductImage | undefined;
};

let currentMessage: (ToastMessage & { id: number }) | null = null;
const { notify, subscribe } = changeListeners();

/** Shows a toast, which replaces the current toast, if any. */
export function toast(message: ToastMessage): void {
  currentMessage = { ...message, id: (currentMessage?.id ?? 0) + 1 };
  notify();
}

// Radix's toast takes several kB that no first view needs, so it is loaded with the first message. Loading may fail
// offline or right after a deployment, which must not break the page.
const ToastViewport = lazy(() =>
  import("./toast-viewport.tsx").then(
    ({ ToastViewport }) => ({ default: ToastViewport }),
    () => ({ default: PlainToast }),
  ),
);
const plainToastMs = 8_000;

/** Shows toasts; rendered once, in the root. */
export function Toasts() {
  const message = useSyncExternalStore(
    subscribe,
    () => currentMessage,
    () => null,
  );
  if (message === null) return null;
  return (
    <Suspense>
      <ToastViewport message={message} />
    </Suspense>
  );
}

/** Fallback without Radix; disappears after a while. */
function PlainToast({ message }: { message: ToastMessage & { id: number } }) {
  const [hiddenId, setHiddenId] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setHiddenId(message.id), plainToastMs);
    return () => clearTimeout(timer);
  }, [message.id]);
  const isShown = hiddenId !== message.id;
  return (
    <p
      role={message.tone === "danger" ? "alert" : "status"}
      className="toasts rounded-md bg-forest-800 text-ink-on-dark shadow-pop"
    >
      {isShown && (
        <span className="block p-4">
          <b className="block font-semibold">{message.title}</b> {message.description}
        </span>
      )}
    </p>
  );
}
