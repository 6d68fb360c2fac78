import { createHash } from "node:crypto";
import pg from "pg";

/** Statements of the shop's own code are a few hundred; beyond this one that varies is not kept by the server. */
const namesMax = 500;
const names = new Map<string, string>();

/**
 * A connection that has PostgreSQL parse and plan a statement once and then only run it: most of what a short statement
 * costs. Each text gets a name of its own; without parameters (`begin`, migrations) there is nothing to gain.
 */
export class PreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: `query` is overloaded six ways; all but one are passed on as they are
  override query(config: any, values?: any, callback?: any): any {
    if (typeof config?.text !== "string" || config.name !== undefined || !(values?.length > 0)) {
      return super.query(config, values, callback);
    }
    const name = nameOf(config.text);
    return super.query(name === undefined ? config : { ...config, name }, values, callback);
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}
