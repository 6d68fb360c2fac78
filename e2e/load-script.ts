import type { CDPSession, Page } from "playwright-core";

/** One per page, never detached: detaching any session also removes the page's virtual passkeys. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Runs a script in the page. The browser reuses its compiled code from the page before, which it does not with Playwright's
 * `evaluate`: compiling takes longer than running.
 */
export async function loadScript(page: Page, source: string): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const { exceptionDetails } = await (await session).send("Runtime.evaluate", { expression: source });
  if (exceptionDetails) throw new Error(`A script failed in the page: ${exceptionDetails.text}`);
}
