/** A click follows the release immediately; without one within this time, the press was not a click. */
const clickWithinMs = 400;

let isPressed = false;
let waitingResolvers: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Resolves once no finger or mouse button is down: immediately, or after the click in progress. Wait for it before a
 * change of the layout that no press has caused, such as a warning on blur: a button that moves between press and
 * release gets no click.
 */
export function waitForPointerRelease(): Promise<void> {
  return isPressed ? new Promise((resolve) => waitingResolvers.push(resolve)) : Promise.resolve();
}

function release(): void {
  isPressed = false;
  const resolvers = waitingResolvers;
  waitingResolvers = [];
  for (const resolve of resolvers) resolve();
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
