/** Moves the focus to the first field that is wrong, once what is wrong with it stands below it. */
export function focusInvalid(within: Element | null): void {
  requestAnimationFrame(() => within?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
