import { createContext } from "react-router";
import type { PageApi } from "../server/api-types.ts";
import type { Shop, Viewer } from "../server/pages/shop.ts";

/**
 * The only file of the app that imports from the server; it imports only types. `server/pages/render.ts` sets the
 * contexts.
 */
export const shopContext = createContext<Shop>();
export const viewerContext = createContext<Viewer>();
/** Calls the API within the server, for the panel's loaders and for forms sent without JavaScript. */
export const apiContext = createContext<PageApi>();
/** The nonce of the page's own inline scripts while it is rendered: see shell/script-nonce.ts. */
export const scriptNonceContext = createContext<string>();

export type { ApiBody, ApiFormInput, ApiInputArgs, ApiKeys, PageApi } from "../server/api-types.ts";
export type { ApiProblem, ApiResult } from "../server/platform/http/api-response.ts";
