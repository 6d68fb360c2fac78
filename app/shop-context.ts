import { createContext } from "react-router";
import type { Shop, Viewer } from "../server/shop.ts";

/** The only place where the app knows of the server, and only its types. `server/http.ts` fills both in. */
export const shopContext = createContext<Shop>();
export const viewerContext = createContext<Viewer>();
