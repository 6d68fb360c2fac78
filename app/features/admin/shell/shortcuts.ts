import { useEffect, useRef } from "react";
import { readStored, store } from "../../browser-storage.ts";

export type Shortcut = {
  /** One key as `KeyboardEvent.key` names it (`?`, `/`), or two in sequence, such as `g o`. */
  keys: string;
  /** The label in the list of shortcuts, such as "Search". */
  label: string;
  run: () => void;
};

type Entry = { shortcut: { readonly current: Shortcut } };

const entries = new Set<Entry>();
const storageKey = "admin-shortcuts";
const sequenceMs = 1200;

/** All shortcuts of the page on screen, in the order of their registration. */
export function currentShortcuts(): Shortcut[] {
  return [...entries].map(({ shortcut }) => shortcut.current);
}

/** Registers a shortcut while the component is mounted. Ignored in text fields and while a dialog is open. */
export function useShortcut(shortcut: Shortcut): void {
  const latestShortcut = useRef(shortcut);
  useEffect(() => {
    latestShortcut.current = shortcut;
  });
  useEffect(() => {
    const entry = { shortcut: latestShortcut };
    entries.add(entry);
    return () => {
      entries.delete(entry);
    };
  }, []);
}

/** Whether shortcuts are on. Users of speech input need to turn single keys off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return readStored("local", storageKey) !== "off";
}

export function setShortcuts(isOn: boolean): void {
  store("local", storageKey, isOn ? null : "off");
}

/** Runs shortcuts on key presses anywhere in the panel; used once, in the frame. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let firstKey = "";
    let firstPressedAt = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key === "Shift" || isTyping(event.target) || isDialogOpen() || !areShortcutsOn()) return;
      const pair = event.timeStamp - firstPressedAt < sequenceMs ? `${firstKey} ${event.key}` : "";
      const shortcuts = currentShortcuts();
      const match = [pair, event.key]
        .map((pressedKeys) => shortcuts.findLast(({ keys }) => keys === pressedKeys))
        .find((shortcut) => shortcut !== undefined);
      firstKey = match ? "" : event.key;
      firstPressedAt = event.timeStamp;
      if (!match) return;
      event.preventDefault();
      match.run();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select")
  );
}

function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog]") !== null;
}
