import Search from "lucide-react/icons/search";
import { lazy, Suspense, useEffect, useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

const loadPalette = () => import("./palette.tsx").then((module) => ({ default: module.Palette }));
const Palette = lazy(loadPalette);

/** Opens the command palette: a button, and Ctrl+K or ⌘K even in text fields. */
export function OpenPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.isComposing) return;
      // Not over an open dialog.
      if (document.querySelector("[role=dialog]:not([data-palette]):not([data-drawer])")) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <IconButton
        label="Search everything"
        title="Search everything (Ctrl+K)"
        className="shrink-0 hover:bg-white/10"
        onPointerEnter={() => void loadPalette().catch(() => null)}
        onClick={() => setOpen(true)}
      >
        <Icon glyph={Search} />
      </IconButton>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
