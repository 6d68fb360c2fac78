/** A visitor's id from a cookie that this server set: only the session code makes one. */
export type VisitorId = string & { readonly brand: "VisitorId" };

/** The caller, by their cookies alone. */
export type Viewer = {
  visitorId: VisitorId | null;
  isAdmin: boolean;
  /** The open admin session's public id; null: the panel is locked. */
  adminSessionId?: string | null;
};
