/** A visitor's id that came out of a cookie this server set: only `sessions.ts` mints it. */
export type VisitorId = string & { readonly brand: "VisitorId" };

/** Who is asking, by their cookies alone. */
export type Viewer = { visitorId: VisitorId | null; isAdmin: boolean };
