import { createContext } from "react";

/**
 * Random `nonce` that marks the shop's own inline scripts during server rendering; removed from the finished page
 * (server/pages/render.ts). Undefined in the browser.
 */
export const ScriptNonceContext = createContext<string | undefined>(undefined);
