import type { CDPSession, Page } from "playwright-core";

type Tab = {
  /** Never detached: detaching any session also removes the page's virtual passkeys. */
  session: Promise<CDPSession>;
  /** Names of the scripts sent to it. */
  sent: Set<string>;
};

const tabs = new WeakMap<Page, Tab>();

/**
 * Runs a script in the page. It is sent once to each tab, whose documents have it from then on as a function that nothing
 * has called yet: sending it takes ten times as long as running it.
 */
export async function loadScript(page: Page, name: string, source: string): Promise<void> {
  const tab = tabs.get(page) ?? { session: page.context().newCDPSession(page), sent: new Set() };
  tabs.set(page, tab);
  const session = await tab.session;
  const key = JSON.stringify(`load ${name}`);
  if (!tab.sent.has(name)) {
    tab.sent.add(name);
    await session.send("Page.enable");
    await session.send("Page.addScriptToEvaluateOnNewDocument", {
      source: `Object.defineProperty(window, ${key}, { value: () => { ${source} } })`,
      runImmediately: true,
    });
  }
  const { exceptionDetails } = await session.send("Runtime.evaluate", { expression: `window[${key}]()` });
  if (exceptionDetails) throw new Error(`A script failed in the page: ${exceptionDetails.text}`);
}
