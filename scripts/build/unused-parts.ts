import type { Plugin } from "vite";

/**
 * Functions of packages that no page of this shop needs, though they are reachable from code that is needed, so that no
 * bundler can remove them. `walks` run on ordinary pages without effect: their bodies are emptied. `features` run only if
 * the feature is used: they throw, so that such a page is noticed at once. Together 8 kB of every first visit.
 */
const unused: { file: string; what: string; walks: string[]; features: string[]; methodsOf?: string }[] = [
  {
    file: "react-dom/cjs/react-dom-client.production.js",
    what: "<ViewTransition>, <Activity>, <SuspenseList>, refs of fragments, actions of forms, custom elements, preinit",
    walks: [
      "trackEnterViewTransitions",
      "commitAppearingPairViewTransitions",
      "commitEnterViewTransitions",
      "commitDeletedPairViewTransitions",
      "commitExitViewTransitions",
      "commitNestedViewTransitions",
      "restorePairedViewTransitions",
      "restoreEnterOrExitViewTransitions",
      "restoreNestedViewTransitions",
      "measureNestedViewTransitions",
      "commitFragmentInstanceInsertionEffects",
      "commitFragmentInstanceDeletionEffects",
      "commitNewChildToFragmentInstances",
    ],
    features: [
      "startViewTransition",
      "getViewTransitionName",
      "createViewTransitionInstance",
      "applyViewTransitionToHostInstances",
      "restoreViewTransitionOnHostInstances",
      "restoreViewTransitionName",
      "measureViewTransitionHostInstancesRecursive",
      "scheduleViewTransitionEvent",
      "ViewTransitionPseudoElement",
      "FragmentInstance",
      "validateDocumentPositionWithFiberTree",
      "getFragmentInstanceOrTextInstanceSiblings",
      "commitNewChildToFragmentInstance",
      "deleteChildFromFragmentInstance",
      "updateActivityComponent",
      "updateSuspenseListComponent",
      "mountActionState",
      "updateActionStateImpl",
      "rerenderActionState",
      "dispatchActionState",
      "runActionStateAction",
      "setPropOnCustomElement",
      "preconnectAs",
      "preloadModule",
      "preinitStyle",
      "preinitScript",
      "preinitModuleScript",
    ],
    methodsOf: "FragmentInstance",
  },
  {
    file: "react-router/dist/production/lib/dom/ssr/fog-of-war.js",
    what: "route discovery other than `initial`",
    walks: ["getPatchRoutesOnNavigationFunction", "useFogOFWarDiscovery"],
    features: ["getPartialManifest", "handleClientVersionMismatch", "fetchAndApplyManifestPatches"],
  },
  {
    file: "react-router/dist/production/lib/router/instrumentation.js",
    what: "instrumentation of the router",
    walks: [],
    features: ["getRouteInstrumentationUpdates", "instrumentClientSideRouter"],
  },
  {
    file: "react-router/dist/production/lib/dom/ssr/components.js",
    what: "React's server components",
    walks: [],
    features: ["RSCPrefetchPageLinksImpl"],
  },
  {
    file: "react-router/dist/production/lib/dom/ssr/single-fetch.js",
    what: "pages without a server",
    walks: [],
    features: ["nonSsrStrategy"],
  },
];

/** Removes them from the browser's build. Fails if a package's update renamed one of them. */
export const unusedParts: Plugin = {
  name: "unused-parts",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform(code, path) {
    const parts = unused.find(({ file }) => path.endsWith(`/node_modules/${file}`));
    if (!parts) return null;
    const missing = new Set([...parts.walks, ...parts.features]);
    const cuts: { start: number; end: number; by: string }[] = [];
    for (const node of this.parse(code).body) {
      if (node.type === "FunctionDeclaration" && node.id && node.body && missing.delete(node.id.name)) {
        const isWalk = parts.walks.includes(node.id.name);
        const by = isWalk ? "{}" : `{ throw Error("Left out of the build: ${parts.what}"); }`;
        cuts.push({ start: node.body.start, end: node.body.end, by });
      } else if (parts.methodsOf && code.startsWith(`${parts.methodsOf}.prototype.`, node.start)) {
        cuts.push({ start: node.start, end: node.end, by: "" });
      }
    }
    if (missing.size > 0) this.error(`${parts.file} has changed: there is no ${[...missing].join(", ")}`);
    let at = 0;
    const pieces = cuts.map(({ start, end, by }) => {
      const piece = code.slice(at, start) + by;
      at = end;
      return piece;
    });
    return { code: pieces.join("") + code.slice(at), map: null };
  },
};

/** Removes the random keys of an icon's shapes from the browser's build: the shapes are static, and random keys hardly compress. */
export const unusedKeys: Plugin = {
  name: "unused-keys",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform(code, path) {
    if (!/\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(path)) return null;
    return { code: code.replaceAll(/,\s*key: "\w+"/g, ""), map: null };
  },
};
