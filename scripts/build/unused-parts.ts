import type { Plugin } from "vite";

/**
 * Functions of packages that no page of this shop needs, although code that is needed refers to them, so that no bundler can
 * remove them. Those in `noOps` run on ordinary pages without effect: their bodies are emptied. Those in `unusedFeatures` run
 * only if the feature is used: they throw, so that such a page is noticed immediately. Those in `results` return what they
 * would return without the feature. Saves 13 kB on every first visit.
 */
const unused: {
  file: string;
  description: string;
  noOps: string[];
  unusedFeatures: string[];
  results?: Record<string, string>;
  /** Class whose methods are removed. */
  methodsOwner?: string;
}[] = [
  {
    file: "react-dom/cjs/react-dom-client.production.js",
    description:
      "<ViewTransition>, <Activity>, <SuspenseList>, refs of fragments, actions of forms, custom elements, styles and scripts of components, preinit, findDOMNode, the compiler's cache",
    noOps: [
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
    results: {
      // Part of an error's component stack, which the shop does not log.
      describeFiber: '""',
      // For `onBeforeInput`, which no component listens to.
      getNativeBeforeInputChars: "null",
      getFallbackBeforeInputChars: "null",
      // No component renders styles or scripts.
      getResource: "null",
      // A page's styles are loaded before its scripts run.
      waitForCommitToBeReady: "null",
    },
    unusedFeatures: [
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
    description: "route discovery other than `initial`",
    noOps: ["getPatchRoutesOnNavigationFunction", "useFogOFWarDiscovery"],
    unusedFeatures: ["getPartialManifest", "handleClientVersionMismatch", "fetchAndApplyManifestPatches"],
  },
  {
    file: "react-router/dist/production/lib/router/router.js",
    description: "fetchers and discovery of routes",
    noOps: [],
    unusedFeatures: [
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
    description: "instrumentation of the router",
    noOps: [],
    unusedFeatures: ["getRouteInstrumentationUpdates", "instrumentClientSideRouter"],
  },
  {
    file: "react-router/dist/production/lib/dom/ssr/components.js",
    description: "React's server components",
    noOps: [],
    unusedFeatures: ["RSCPrefetchPageLinksImpl"],
  },
  {
    file: "react-router/dist/production/lib/dom/ssr/single-fetch.js",
    description: "pages without a server",
    noOps: [],
    unusedFeatures: ["nonSsrStrategy"],
  },
];

/** Removes these functions from the browser's build. Fails if an update of a package renamed one of them. */
export const unusedParts: Plugin = {
  name: "unused-parts",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform(code, path) {
    const parts = unused.find(({ file }) => path.endsWith(`/node_modules/${file}`));
    if (!parts) return null;
    const { noOps, unusedFeatures, results = {} } = parts;
    const missing = new Set([...noOps, ...Object.keys(results), ...unusedFeatures]);
    const edits: { start: number; end: number; replacement: string }[] = [];
    const body = this.parse(code).body;
    // The router's functions are declared inside `createRouter`.
    const routerFunctions = body.flatMap((node) =>
      node.type === "FunctionDeclaration" && node.id?.name === "createRouter" ? (node.body?.body ?? []) : [],
    );
    for (const node of [...body, ...routerFunctions]) {
      if (node.type === "FunctionDeclaration" && node.id && node.body && missing.delete(node.id.name)) {
        const replacement = noOps.includes(node.id.name)
          ? "{}"
          : node.id.name in results
            ? `{ return ${results[node.id.name]}; }`
            : `{ throw Error("Left out of the build: ${parts.description}"); }`;
        edits.push({ start: node.body.start, end: node.body.end, replacement });
      } else if (parts.methodsOwner && code.startsWith(`${parts.methodsOwner}.prototype.`, node.start)) {
        edits.push({ start: node.start, end: node.end, replacement: "" });
      }
    }
    if (missing.size > 0) this.error(`${parts.file} has changed: there is no ${[...missing].join(", ")}`);
    edits.sort((a, b) => a.start - b.start);
    let position = 0;
    const pieces = edits.map(({ start, end, replacement }) => {
      const piece = code.slice(position, start) + replacement;
      position = end;
      return piece;
    });
    return { code: pieces.join("") + code.slice(position), map: null };
  },
};

/**
 * Reduces icons to what the shop shows, always through `ui/icon.tsx`, which sets size and stroke: removes the package's
 * defaults, names, contexts and variants, and the random keys of the shapes, which hardly compress.
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
