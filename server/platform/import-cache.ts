import { registerHooks } from "node:module";

const drizzle = "/node_modules/drizzle-orm/";

/**
 * Finds the modules that Drizzle's own import without asking Node, which would read Drizzle's `package.json`, of 175 kB,
 * again for each of them.
 */
export function cacheImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith(".") || !context.parentURL?.includes(drizzle))
        return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
    },
  });
}
