/** A click follows the release immediately; if none comes within this time (ms), the press was not a click. */
const clickWithinMs = 400;

let isPressed = false;
let waitingResolvers: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Resolves once no finger or mouse button is down: immediately, or after the click in progress. Wait for it before
 * changing the layout without a press, as a warning on blur does: a button that moves between press and release gets no
 * click.
 */
export function waitForPointerRelease(): Promise<void> {
  return isPressed ? new Promise((resolve) => waitingResolvers.push(resolve)) : Promise.resolve();
}

function release(): void {
  isPressed = false;
  const resolved = waitingResolvers;
  waitingResolvers = [];
  for (const resolve of resolved) resolve();
}

function releaseIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(release, ms);
}

if (typeof document !== "undefined") {
  const listenerOptions = { capture: true, passive: true };
  const handlePointerDown = () => {
    clearTimeout(timer);
    isPressed = true;
  };
  document.addEventListener("pointerdown", handlePointerDown, listenerOptions);
  // The press is not released immediately: after a touch, focus moves (and blur handlers run) between pointerup and click.
  document.addEventListener("pointerup", () => releaseIn(clickWithinMs), listenerOptions);
  document.addEventListener("pointercancel", () => releaseIn(0), listenerOptions);
  // Runs after the click's own handlers.
  document.addEventListener("click", () => isPressed && releaseIn(0), listenerOptions);
}
