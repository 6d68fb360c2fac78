import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type MetaDescriptor,
  type MetaFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import type { Product } from "../domain/catalog/product.ts";
import type { ReviewPage } from "../domain/reviews/review.ts";
import { type PageSubject, structuredDataJson } from "./seo/schema-org/page.ts";
import { StructuredDataContext } from "./seo/structured-data.tsx";
import { ScriptNonceContext } from "./shell/script-nonce.ts";
import { scriptNonceContext, shopContext } from "./shop-context.ts";

/** The server must use this bundle's copies of the context keys, because contexts are compared by identity. */
export { apiContext, scriptNonceContext, shopContext, viewerContext } from "./shop-context.ts";

/** Logs errors of loaders and components, but not cancelled requests or requests that match no route. */
export function handleError(error: unknown, { request, context }: Parameters<HandleErrorFunction>[1]) {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) context.get(shopContext).report(error);
}

/** After this time (ms), an unfinished loader makes the page fail. */
export const streamTimeout = 5_000;

/**
 * Renders a page to one string: for the content security policy, the server hashes the shop's own inline scripts (those with
 * the nonce), and it keeps public pages in memory; neither works on a stream.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const structuredData = await readStructuredData(routerContext, loadContext);
  const nonce = loadContext.get(scriptNonceContext);
  return new Promise((resolve, reject) => {
    let responseStatus = status;
    const { pipe, abort } = renderToPipeableStream(
      <ScriptNonceContext value={nonce}>
        <StructuredDataContext value={structuredData}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </StructuredDataContext>
      </ScriptNonceContext>,
      {
        nonce,
        // Waits for suspended parts, which scripts would otherwise have to move into place.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          clearTimeout(timeout);
          const parts: Buffer[] = [];
          const collector = new Writable({
            write(chunk: Buffer, _encoding, done) {
              parts.push(chunk);
              done();
            },
            final(done) {
              headers.set("Content-Type", "text/html; charset=utf-8");
              const html = withLowPriorityScripts(Buffer.concat(parts).toString());
              resolve(new Response(html, { status: responseStatus, headers }));
              done();
            },
          });
          pipe(collector);
        },
        onShellError(error) {
          clearTimeout(timeout);
          reject(error);
        },
        onError() {
          responseStatus = 500;
        },
      },
    );
    const timeout = setTimeout(abort, streamTimeout + 1_000);
  });
}

/**
 * Loads styles, fonts and the first picture before scripts, which browsers would load at the same time; React Router has no
 * setting for it. React's file keeps its priority, even over pictures further down: the page needs it to respond to input.
 */
function withLowPriorityScripts(html: string): string {
  return html.replaceAll(
    /<link rel="modulepreload"(?! href="\/assets\/react-)/g,
    '<link rel="modulepreload" fetchpriority="low"',
  );
}

/** The page's structured data (schema.org), for search engines. */
async function readStructuredData(
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<string | null> {
  const subject = pageSubject(routerContext);
  if (!subject) return null;
  const shop = context.get(shopContext);
  return structuredDataJson(shop.frame.publicUrl, subject, await shop.settings());
}

/** Names of the loaders' data that structured data uses. */
type LoaderData = {
  product?: Product | null;
  reviews?: ReviewPage | null;
  answers?: PageSubject["answers"];
};

/**
 * The subject of the page being rendered, from its own metadata and loader data. Null for a page without a canonical
 * address, which is private or an error.
 */
function pageSubject({ staticHandlerContext, routeModules }: EntryContext): PageSubject | null {
  const { location, loaderData, errors, statusCode } = staticHandlerContext;
  const leaf = staticHandlerContext.matches.at(-1);
  if (!leaf || errors || statusCode !== 200) return null;
  const matches = staticHandlerContext.matches.map(({ route, params, pathname }) => ({
    id: route.id,
    params,
    pathname,
    loaderData: loaderData[route.id],
    meta: [],
  }));
  const args = {
    loaderData: loaderData[leaf.route.id],
    params: leaf.params,
    location,
    matches,
  };
  const head = routeModules[leaf.route.id]?.meta?.(args as Parameters<MetaFunction>[0]) ?? [];
  const canonicalUrl = findText(
    head,
    (tag) => "rel" in tag && tag.rel === "canonical" && "href" in tag && tag.href,
  );
  const title = findText(head, (tag) => "property" in tag && tag.property === "og:title" && tag.content);
  if (canonicalUrl === null || title === null) return null;
  const { product, reviews, answers } = (args.loaderData ?? {}) as LoaderData;
  return {
    url: canonicalUrl,
    title,
    ...(product && {
      product,
      reviews: reviews?.data.filter(({ productId }) => concernsProduct(product, productId)) ?? [],
    }),
    ...(answers && { answers }),
  };
}

function concernsProduct({ id, family }: Product, productId: number): boolean {
  return family === null ? productId === id : family.sizes.some((size) => size.id === productId);
}

/** The first text that `read` finds in a tag. */
function findText(head: readonly MetaDescriptor[], read: (tag: MetaDescriptor) => unknown): string | null {
  for (const tag of head) {
    const text = read(tag);
    if (typeof text === "string") return text;
  }
  return null;
}
