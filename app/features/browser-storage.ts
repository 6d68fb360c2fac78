type Kind = "local" | "session";

/**
 * Storage keys that checkout/landing-data.ts writes on the first page of a visit. They are here so that pages need not
 * load that file.
 */
export const sharedCodeKey = "shared-code";
/** Session storage key of the visit's source: the origin of the referring page, with the parameters of the shop's URL. */
export const sourceKey = "source";
/** Local storage key of the product that this browser reviewed most recently. */
export const reviewedKey = "reviewed";

/**
 * Reads a text from `localStorage` or `sessionStorage`. Null if none is stored; undefined if storage cannot be read, as in
 * some private modes.
 */
export function readStored(kind: Kind, key: string): string | null | undefined {
  try {
    return getStorage(kind).getItem(key);
  } catch {
    return undefined;
  }
}

/** Stores a text, or deletes it (null). False if storage is full or forbidden. */
export function store(kind: Kind, key: string, text: string | null): boolean {
  try {
    if (text === null) getStorage(kind).removeItem(key);
    else getStorage(kind).setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a value that `storeJson` stored; null if it is missing or unreadable. The caller must check its type. */
export function readStoredJson(kind: Kind, key: string): unknown {
  try {
    return JSON.parse(readStored(kind, key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value as JSON, or deletes it (null). */
export function storeJson(kind: Kind, key: string, value: unknown): boolean {
  return store(kind, key, value === null ? null : JSON.stringify(value));
}

function getStorage(kind: Kind): Storage {
  return kind === "local" ? localStorage : sessionStorage;
}
