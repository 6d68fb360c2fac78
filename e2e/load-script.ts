import type { Page } from "playwright-core";

/**
 * Runs a script in the page as one of the page's own would run. Playwright's `evaluate` would have it compiled on every page
 * anew, which takes longer than running it does; so the browser still knows it from the page before.
 */
export async function loadScript(page: Page, source: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { exceptionDetails } = await devtools.send("Runtime.evaluate", { expression: source });
  await devtools.detach();
  if (exceptionDetails) throw new Error(`A script failed in the page: ${exceptionDetails.text}`);
}
