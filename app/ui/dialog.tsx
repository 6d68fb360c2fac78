import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { restoreFocus } from "./browser/focus.ts";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

const doublePressMs = 500;
/**
 * The element outside dialogs that opened the last dialog. A dialog that was opened from another dialog gives the focus
 * back to it.
 */
let pageOpener: Element | null = null;

/**
 * A modal dialog: bottom sheet on phones, centered from 768 px. Focus stays inside; Escape, the close button and a
 * press outside call `onClose`. Title, close button and `actions` stay visible while the rest scrolls; on very low
 * screens everything scrolls. With `closable={false}`, only its actions close it.
 */
export function Dialog({
  open = true,
  onClose,
  title,
  description,
  children,
  actions,
  closable = true,
}: {
  open?: boolean;
  onClose: () => unknown;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  closable?: boolean;
}) {
  // Radix returns the focus only to its own trigger component, so the element that opened the dialog is stored here.
  const opener = useRef<Element | null>(null);
  const openedAt = useRef(0);
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Scrim className="z-(--z-dialog)" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={() => {
            openedAt.current = performance.now();
            const { activeElement, body } = document;
            if (activeElement !== body && !activeElement?.closest("[role=dialog]"))
              pageOpener = activeElement;
            opener.current = activeElement === body ? null : activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus(opener.current?.isConnected ? opener.current : pageOpener);
          }}
          onEscapeKeyDown={(event) => !closable && event.preventDefault()}
          // From the last element to the first, Radix moves the focus without scrolling.
          onKeyUp={({ key }) => key === "Tab" && document.activeElement?.scrollIntoView({ block: "nearest" })}
          // Ignores the second press of a double click on the button that opened the dialog, which a busy page may
          // handle late.
          onInteractOutside={(event) =>
            (!closable || event.detail.originalEvent.timeStamp - openedAt.current < doublePressMs) &&
            event.preventDefault()
          }
          className="fixed inset-x-0 bottom-0 z-(--z-dialog) flex max-h-[92svh] animate-rise flex-col overflow-auto rounded-t-lg bg-paper px-(--gutter) pt-6 pb-[calc(1.5rem+env(safe-area-inset-bottom))] shadow-pop outline-1 outline-transparent md:inset-0 md:m-auto md:h-fit md:w-[min(34rem,calc(100vw-4rem))] md:rounded-lg md:p-9"
        >
          <Radix.Title className="pr-12 pb-1 text-[1.75rem]">{title}</Radix.Title>
          {/* Relative, so that hidden radio buttons scroll with the content. The scroll padding leaves room for the error of a focused field. */}
          <div
            className={`dialog-body relative -mx-(--gutter) px-(--gutter) md:-mx-9 scroll-py-16 md:px-9 [@media(min-height:36rem)]:overflow-auto ${actions ? "pb-6" : ""}`}
          >
            {description && (
              <Radix.Description className="mt-1 text-ink-muted">{description}</Radix.Description>
            )}
            {children}
          </div>
          {actions && (
            <div className="relative -mx-(--gutter) flex flex-wrap gap-3 border-t border-line bg-paper px-(--gutter) pt-3.5 *:min-w-max *:flex-1 md:-mx-9 md:justify-end md:border-0 md:px-9 md:before:pointer-events-none md:before:absolute md:before:inset-x-0 md:before:bottom-full md:before:h-6 md:before:bg-linear-to-t md:before:from-paper md:*:flex-none">
              {actions}
            </div>
          )}
          {closable && (
            <Radix.Close asChild>
              <IconButton label="Close" className="absolute! top-3 right-3" data-closes-dialog>
                <Icon glyph={X} />
              </IconButton>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Number of open overlays; the page can be scrolled again once the last overlay has closed. */
let openScrims = 0;

/**
 * The dark overlay; locks scrolling and keeps the width of the page without its scrollbar. Radix's own overlay does this
 * with an injected style element, which the CSP blocks. `className` sets the z-index: dialogs are above drawers.
 */
export function Scrim({ className }: { className: string }) {
  useLayoutEffect(() => {
    const { clientWidth, style } = document.documentElement;
    openScrims += 1;
    if (openScrims === 1) {
      style.paddingRight = `${window.innerWidth - clientWidth}px`;
      style.overflow = "hidden";
    }
    return () => {
      openScrims -= 1;
      if (openScrims > 0) return;
      style.paddingRight = "";
      style.overflow = "";
    };
  }, []);
  return <div className={`fixed inset-0 animate-fade bg-scrim ${className}`} />;
}
