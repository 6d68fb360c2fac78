import { flushCompileCache, type ResolveFnOutput, registerHooks } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const packages = "/node_modules/";
const drizzle = `${packages}drizzle-orm/`;

/**
 * Resolves most modules itself, because Node would copy the package's whole `package.json` for each; Drizzle's has 175 kB.
 */
export function cacheImports(): void {
  const resolved = new Map<string, ResolveFnOutput>();
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "", conditions } = context;
      const isRelative = specifier.startsWith(".");
      if (parentURL.includes(drizzle) && isRelative) {
        return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
      }
      if (parentURL === "" || parentURL.includes(packages) || !conditions.includes("import")) {
        return next(specifier, context);
      }
      if (isRelative && specifier.endsWith(".ts")) {
        return { url: new URL(specifier, parentURL).href, format: "module-typescript", shortCircuit: true };
      }
      if (isRelative) return next(specifier, context);
      // A package resolves to the same file for all files of the shop, of which 150 import Drizzle.
      const result = resolved.get(specifier) ?? next(specifier, context);
      resolved.set(specifier, result);
      return { ...result, shortCircuit: true };
    },
  });
}

/**
 * Called at the end of the start, during which memory is traded for speed. Writes the compile cache, returns unused heap to the
 * operating system, and from then on limits heap growth between collections to 50 %.
 */
export function releaseStartMemory(): void {
  flushCompileCache();
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
