import { createContext } from "react-router";
import type { PageApi } from "../server/pages/render.ts";
import type { Shop, Viewer } from "../server/pages/shop.ts";

/** The only place where the app knows of the server, and only its types. `server/http/app.ts` fills both in. */
export const shopContext = createContext<Shop>();
export const viewerContext = createContext<Viewer>();
/** For a form sent without JavaScript: the API in the same process, behind the same gate (see features/api.ts). */
export const apiContext = createContext<PageApi>();

export type {
  ApiAnswer,
  ApiBody,
  ApiFormInput,
  ApiInput,
  ApiInputArgs,
  ApiKeys,
  ApiProblem,
} from "../server/http/api-types.ts";
export type { PageApi };
