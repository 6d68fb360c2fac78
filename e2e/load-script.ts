import type { CDPSession, Page } from "playwright-core";

type Tab = {
  /** Never detached: detaching any session also removes the page's virtual passkeys. */
  session: Promise<CDPSession>;
  /** Names of the scripts that the tab has received. */
  sentScripts: Set<string>;
};

const tabs = new WeakMap<Page, Tab>();

/**
 * Runs a script in the page. Sending it takes ten times as long as running it, so it is sent once to each tab, as a function
 * that every later document of the tab can call.
 */
export async function loadScript(page: Page, name: string, source: string): Promise<void> {
  const tab = tabs.get(page) ?? { session: page.context().newCDPSession(page), sentScripts: new Set() };
  tabs.set(page, tab);
  const session = await tab.session;
  const key = JSON.stringify(`load ${name}`);
  if (!tab.sentScripts.has(name)) {
    tab.sentScripts.add(name);
    await session.send("Page.enable");
    await session.send("Page.addScriptToEvaluateOnNewDocument", {
      source: `Object.defineProperty(window, ${key}, { value: () => { ${source} } })`,
      runImmediately: true,
    });
  }
  const { exceptionDetails } = await session.send("Runtime.evaluate", { expression: `window[${key}]()` });
  if (exceptionDetails) throw new Error(`A script failed in the page: ${exceptionDetails.text}`);
}
