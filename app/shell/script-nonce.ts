import { createContext } from "react";

/**
 * A random `nonce` that marks the shop's own inline scripts while the server renders a page; it is removed from the
 * finished page (server/pages/render.ts). Undefined in the browser.
 */
export const ScriptNonceContext = createContext<string | undefined>(undefined);
