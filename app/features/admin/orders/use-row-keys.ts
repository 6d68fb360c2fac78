import { useShortcut } from "../shell/shortcuts.ts";

/** `j` and `k` go down and up the list; Enter then opens the order. */
export function useRowKeys(): void {
  useShortcut({ keys: "j", label: "Next order", run: () => step(1) });
  useShortcut({ keys: "k", label: "Previous order", run: () => step(-1) });
}

function step(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("main [data-order-link]")];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  const next = at === -1 ? links.at(by === 1 ? 0 : -1) : links[Math.max(0, at + by)];
  next?.focus();
}
