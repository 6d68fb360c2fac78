import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/toast";
import { Link } from "react-router";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Picture } from "./picture.tsx";
import type { ToastMessage } from "./toast.tsx";

/** Shows the current toast; F8 moves the focus to it. */
export function ToastViewport({ message }: { message: ToastMessage & { id: number } }) {
  return (
    // One provider per toast: if a toast is closed while focused, its provider stays paused, and the next would never close.
    <Radix.Provider
      key={message.id}
      duration={message.durationMs ?? 5000}
      swipeDirection="right"
      swipeThreshold={50}
    >
      <ToastCard message={message} />
      <Radix.Viewport hotkey={["F8"]} className="toasts" />
    </Radix.Provider>
  );
}

/** Escape closes the layer with the focus. Radix would close the toast, which is on top, even if the focus is in a dialog. */
function closeFocusedDialog(event: KeyboardEvent): void {
  const dialog = document.activeElement?.closest("[role=dialog]");
  if (!dialog) return;
  event.preventDefault();
  dialog.querySelector<HTMLElement>("[data-closes-dialog]")?.click();
}

const actionClass =
  "-my-1.5 inline-flex min-h-11 min-w-11 items-center text-small font-medium text-copper-300 underline underline-offset-[.25em]";

function ToastCard({ message }: { message: ToastMessage }) {
  const isDanger = message.tone === "danger";
  const mutedClass = isDanger ? "text-[#fbe3dc]" : "text-ink-on-dark-muted";
  return (
    <Radix.Root
      type={isDanger ? "foreground" : "background"}
      onEscapeKeyDown={closeFocusedDialog}
      className={`on-dark grid animate-drop grid-cols-[auto_1fr_auto] items-start gap-3 rounded-md py-4 pr-2 pl-4 shadow-pop outline-1 outline-transparent transition-transform duration-(--dur-2) data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-full data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=move]:transition-none ${
        isDanger ? "bg-danger text-white" : "bg-forest-800 text-ink-on-dark"
      }`}
    >
      {message.image ? (
        <Picture image={message.image} alt="" sizes="48px" className="h-14.5 w-12 rounded-xs object-cover" />
      ) : (
        <Icon glyph={isDanger ? CircleAlert : CircleCheck} className="mt-0.5" />
      )}
      <div>
        <Radix.Title className="leading-[1.35] font-semibold">{message.title}</Radix.Title>
        {message.description && (
          <Radix.Description className={`text-small leading-[1.45] ${mutedClass}`}>
            {message.description}
          </Radix.Description>
        )}
        {message.action && (
          <Radix.Action asChild altText={message.action.label}>
            {"to" in message.action ? (
              <Link to={message.action.to} className={actionClass}>
                {message.action.label}
              </Link>
            ) : (
              <button type="button" className={actionClass} onClick={message.action.run}>
                {message.action.label}
              </button>
            )}
          </Radix.Action>
        )}
      </div>
      <Radix.Close asChild>
        <IconButton label="Dismiss" className="-my-2.5 hover:bg-white/10">
          <Icon glyph={X} />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  );
}
