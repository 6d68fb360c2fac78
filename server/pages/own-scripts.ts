import { createHash } from "node:crypto";

/**
 * A page as it is sent, and the hashes of its inline scripts for the content security policy. Only scripts that were rendered
 * with the mark as their `nonce` count: one that got into the page with a text cannot know it, and runs nowhere. The mark
 * itself does not go out, because a nonce in a page that caches keep would be the same for everybody.
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
