import type { CDPSession, Page } from "playwright-core";

/** One for each page, never ended: with any of them a page would lose its passkeys, too. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Runs a script in the page as one of the page's own would run. Playwright's `evaluate` would have it compiled on every page
 * anew, which takes longer than running it does; so the browser still knows it from the page before.
 */
export async function loadScript(page: Page, source: string): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const { exceptionDetails } = await (await session).send("Runtime.evaluate", { expression: source });
  if (exceptionDetails) throw new Error(`A script failed in the page: ${exceptionDetails.text}`);
}
