import type { Plugin } from "vite";

/**
 * Functions of packages that no page of this shop needs, though they are reachable from code that is needed, so that no
 * bundler can remove them. `walks` run on ordinary pages without effect: their bodies are emptied. `features` run only if
 * the feature is used: they throw, so that such a page is noticed immediately. `returns` return what they would without the
 * feature. Together 13 kB of every first visit.
 */
const unused: {
  file: string;
  what: string;
  walks: string[];
  features: string[];
  returns?: Record<string, string>;
  methodsOwner?: string;
}[] = [
  {
    file: "react-dom/cjs/react-dom-client.production.js",
    what: "<ViewTransition>, <Activity>, <SuspenseList>, refs of fragments, actions of forms, custom elements, styles and scripts of components, preinit, findDOMNode, the compiler's cache",
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
      // For `onSelect`, which no component listens to.
      "constructSelectEvent",
      // For actions of forms and `useFormStatus`.
      "extractEvents$1",
      // Counts pictures and styles that `waitForCommitToBeReady` would wait for.
      "accumulateSuspenseyCommitOnFiber",
    ],
    returns: {
      // Part of an error's component stack, which the shop does not log.
      describeFiber: '""',
      // For `onBeforeInput`, which no component listens to.
      getNativeBeforeInputChars: "null",
      getFallbackBeforeInputChars: "null",
      // No component renders styles or scripts.
      getResource: "null",
      // A page's styles are there before its scripts.
      waitForCommitToBeReady: "null",
    },
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
      "commitAfterMutationEffectsOnFiber",
      "updateActivityComponent",
      "updateSuspenseListComponent",
      "findFirstSuspended",
      "cutOffTailIfNeeded",
      "mountActionState",
      "updateActionStateImpl",
      "rerenderActionState",
      "dispatchActionState",
      "runActionStateAction",
      "startHostTransition",
      "setPropOnCustomElement",
      "acquireResource",
      "suspendResource",
      "insertStylesheet",
      "preloadStylesheet",
      "preconnectAs",
      "preloadModule",
      "preinitStyle",
      "preinitScript",
      "preinitModuleScript",
      "attemptExplicitHydrationTarget",
      "findCurrentFiberUsingSlowPath",
      "useMemoCache",
    ],
    methodsOwner: "FragmentInstance",
  },
  {
    file: "react-router/dist/production/lib/dom/ssr/fog-of-war.js",
    what: "route discovery other than `initial`",
    walks: ["getPatchRoutesOnNavigationFunction", "useFogOFWarDiscovery"],
    features: ["getPartialManifest", "handleClientVersionMismatch", "fetchAndApplyManifestPatches"],
  },
  {
    file: "react-router/dist/production/lib/router/router.js",
    what: "fetchers and discovery of routes",
    walks: [],
    features: [
      "discoverRoutes",
      "patchRoutes",
      "patchRoutesImpl",
      "fetch",
      "handleFetcherAction",
      "handleFetcherLoader",
    ],
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
    const { walks, features, returns = {} } = parts;
    const missing = new Set([...walks, ...Object.keys(returns), ...features]);
    const cuts: { start: number; end: number; by: string }[] = [];
    const body = this.parse(code).body;
    // The router's functions are declared in the one that makes it.
    const makers = body.flatMap((node) =>
      node.type === "FunctionDeclaration" && node.id?.name === "createRouter" ? (node.body?.body ?? []) : [],
    );
    for (const node of [...body, ...makers]) {
      if (node.type === "FunctionDeclaration" && node.id && node.body && missing.delete(node.id.name)) {
        const replacement = walks.includes(node.id.name)
          ? "{}"
          : node.id.name in returns
            ? `{ return ${returns[node.id.name]}; }`
            : `{ throw Error("Left out of the build: ${parts.what}"); }`;
        cuts.push({ start: node.body.start, end: node.body.end, by: replacement });
      } else if (parts.methodsOwner && code.startsWith(`${parts.methodsOwner}.prototype.`, node.start)) {
        cuts.push({ start: node.start, end: node.end, by: "" });
      }
    }
    if (missing.size > 0) this.error(`${parts.file} has changed: there is no ${[...missing].join(", ")}`);
    cuts.sort((a, b) => a.start - b.start);
    let at = 0;
    const pieces = cuts.map(({ start, end, by }) => {
      const piece = code.slice(at, start) + by;
      at = end;
      return piece;
    });
    return { code: pieces.join("") + code.slice(at), map: null };
  },
};

/**
 * Icons as the shop shows them, always by `ui/icon.tsx`, which gives size and stroke: without the package's defaults, names,
 * contexts and variants, and without the random keys of their shapes, which hardly compress.
 */
export const plainIcons: Plugin = {
  name: "plain-icons",
  apply: "build",
  transform(code, path) {
    if (path.endsWith("/lucide-react/dist/esm/createLucideIcon.mjs")) return { code: plainIcon, map: null };
    if (!/\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(path)) return null;
    return {
      code: code
        .replaceAll(/,\s*key: "\w+"/g, "")
        .replace(/createLucideIcon\(__iconData\)/, "createLucideIcon(__iconData.node)"),
      map: null,
    };
  },
};

const plainIcon = `import { createElement } from "react";
export default function createLucideIcon(node) {
  return ({ size = 24, ...props }) =>
    createElement(
      "svg",
      { width: size, height: size, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 2,
        strokeLinecap: "round", strokeLinejoin: "round", ...props },
      ...node.map(([tag, shape]) => createElement(tag, shape)),
    );
}
`;
