/**
 * Preloads the scripts of a route, given its entry in the router's own table; undefined if the table does not have it
 * yet.
 */
export function preloadRoute(route: { module: string; imports?: string[] } | undefined): void {
  for (const href of route ? [route.module, ...(route.imports ?? [])] : []) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}
