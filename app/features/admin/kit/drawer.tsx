import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useRef } from "react";
import { useNavigate } from "react-router";
import { IconButton } from "../../../ui/button.tsx";
import { Scrim } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";

/**
 * A page that slides in beside its list; on phones it fills the screen. It is open while its route is: Escape, the close
 * button and the backdrop navigate to `closeTo` and return the focus to the control that opened it. `footer` stays in view.
 */
export function Drawer({
  title,
  subtitle,
  closeTo,
  footer,
  children,
}: {
  title: ReactNode;
  subtitle?: ReactNode;
  /** URL of the list, with its filters. */
  closeTo: string;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) void navigate(closeTo, { preventScrollReset: true, state: { keepsFocus: true } });
      }}
    >
      <Radix.Portal>
        <Scrim className="z-(--z-scrim)" />
        <Radix.Content
          {...(subtitle ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
          }}
          // A press on a toast does not close the drawer.
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest("[role=region]"))
              event.preventDefault();
          }}
          className="fixed inset-y-0 right-0 z-(--z-drawer) flex w-[min(36rem,100vw)] animate-fade flex-col overflow-y-auto bg-paper shadow-pop outline-1 outline-transparent"
        >
          <header className="sticky top-0 z-(--z-raised) flex items-center justify-between gap-4 border-b border-line bg-paper py-4 pr-3 pl-[clamp(1.25rem,3vw,2rem)]">
            <div className="min-w-0">
              <Radix.Title className="text-h3 wrap-anywhere">{title}</Radix.Title>
              {subtitle && (
                <Radix.Description asChild>
                  <div className="text-small text-ink-muted">{subtitle}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="shrink-0" data-closes-dialog>
                <Icon glyph={X} />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="flex-1 px-[clamp(1.25rem,3vw,2rem)] py-6">{children}</div>
          {footer && (
            <footer className="sticky bottom-0 z-(--z-raised) flex flex-wrap gap-3 border-t border-line bg-paper px-[clamp(1.25rem,3vw,2rem)] pt-4 pb-[calc(1rem+env(safe-area-inset-bottom))]">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
