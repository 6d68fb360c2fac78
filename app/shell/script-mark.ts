import { createContext } from "react";

/**
 * What marks an inline script as the shop's own while a page is rendered, as its `nonce`: random, and taken out of the
 * finished page (server/pages/own-scripts.ts). Browsers have none.
 */
export const ScriptMark = createContext<string | undefined>(undefined);
