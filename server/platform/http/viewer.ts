import type { Role } from "../../../domain/people/roles.ts";

/** A visitor's id from a cookie that this server set: only the session code makes one. */
export type VisitorId = string & { readonly brand: "VisitorId" };

/** The session that has the panel unlocked in this browser. */
export type Admin = {
  /** The session's public id. */
  sessionId: string;
  role: Role;
  /** Null: signed in with the access code. */
  person: { id: string; name: string } | null;
  /** When passkey or code were last asked for: at the beginning of the session, or again since. */
  confirmedAt: Date;
};

/** The caller, by their cookies alone. */
export type Viewer = {
  visitorId: VisitorId | null;
  /** Null: the panel is locked. */
  admin: Admin | null;
};
