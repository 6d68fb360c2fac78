import { createHash } from "node:crypto";

/**
 * Collects the hashes of a page's inline scripts for the content security policy. Only scripts rendered with the mark as
 * `nonce` are included; a script injected with some text cannot know the mark. The mark is removed from the page, because
 * a nonce in a cached page would be the same for all visitors.
 */
export function takeOwnScripts(html: string, mark: string): { html: string; hashes: string[] } {
  const nonce = ` nonce="${mark}"`;
  const hashes = new Set<string>();
  for (const [, attributes = "", code = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (!attributes.includes(nonce) || /\ssrc=/.test(attributes) || code === "") continue;
    hashes.add(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  }
  return { html: html.replaceAll(nonce, ""), hashes: [...hashes] };
}
