/** A visitor's id that came out of a cookie this server set: only `sessions.ts` mints it. */
export type VisitorId = string & { readonly brand: "VisitorId" };

/** Who is asking, by their cookies alone. */
export type Viewer = {
  visitorId: VisitorId | null;
  isAdmin: boolean;
  /** The open admin session, by the id that lists and the activity log know it by; null: the panel is locked. */
  adminSessionId?: string | null;
};
