/** The named properties of an object: columns of a table, or fields of a row. */
export function pick<From extends object, Name extends keyof From>(from: From, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
