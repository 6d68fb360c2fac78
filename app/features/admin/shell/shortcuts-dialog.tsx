import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { Dialog } from "../../../ui/dialog.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAllowedTabs } from "./admin-nav.tsx";
import {
  areShortcutsOn,
  currentShortcuts,
  type Shortcut,
  setShortcuts,
  useShortcut,
  useShortcutKeys,
} from "./shortcuts.ts";
import { type AdminPageLink, accountPage } from "./tabs.ts";

let openDialog = () => {};

/** Opens the list of shortcuts, as `?` does. */
export function showShortcuts(): void {
  openDialog();
}

/** Lists the keyboard shortcuts, opened by `?`. Also registers the panel's global shortcuts. */
export function ShortcutsDialog() {
  const [listedShortcuts, setListedShortcuts] = useState<Shortcut[] | null>(null);
  const [isOn, setOn] = useState(true);
  useShortcutKeys();
  const pages = [...useAllowedTabs().flatMap((tab) => tab.pages), accountPage].flatMap(
    ({ letter, ...page }) => (letter === undefined ? [] : [{ ...page, letter }]),
  );
  useEffect(() => {
    openDialog = () => {
      setOn(areShortcutsOn());
      setListedShortcuts(currentShortcuts());
    };
    return () => {
      openDialog = () => {};
    };
  }, []);
  return (
    <>
      <RegisteredShortcut keys="?" label="Show this list" run={showShortcuts} />
      <RegisteredShortcut keys="/" label="Search" run={focusSearch} />
      {pages.map(({ to, label, letter }) => (
        <PageShortcut key={to} to={to} label={label} letter={letter} />
      ))}
      <Dialog
        open={listedShortcuts !== null}
        onClose={() => setListedShortcuts(null)}
        title="Keyboard shortcuts"
      >
        <Switch
          className="mt-4"
          name="shortcuts"
          label="Use shortcuts"
          checked={isOn}
          onChange={(next) => {
            setShortcuts(next);
            setOn(next);
          }}
        />
        <dl className="mt-4 grid gap-x-8 sm:grid-cols-2">
          {listedShortcuts?.map(({ keys, label }) => (
            <div
              key={keys}
              className="flex items-center justify-between gap-4 border-t border-line py-2 text-ui"
            >
              <dt>{label}</dt>
              <dd className="flex gap-1">
                {keys.split(" ").map((key) => (
                  <kbd
                    key={key}
                    className="min-w-7 rounded-sm border border-line-strong px-1.5 text-center text-small"
                  >
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}

function RegisteredShortcut(shortcut: Shortcut) {
  useShortcut(shortcut);
  return null;
}

function PageShortcut({ to, label, letter }: Required<AdminPageLink>) {
  const navigate = useNavigate();
  useShortcut({ keys: `g ${letter}`, label: `Go to ${label}`, run: () => void navigate(to) });
  return null;
}

function focusSearch(): void {
  const field = document.querySelector("main input[type=search]");
  if (field instanceof HTMLInputElement) field.select();
}
