import type { Role } from "../../../domain/people/roles.ts";

/** A visitor's id from a cookie that this server set: only the session code makes one. */
export type VisitorId = string & { readonly brand: "VisitorId" };

/** The session that has the panel unlocked in this browser, or the API key of another program. */
export type Admin = {
  /** The session's public id, or the key's. */
  sessionId: string;
  role: Role;
  /** Null if signed in with the access code. A key has an account with its name. */
  person: { id: string; name: string } | null;
  /** When the person last proved their identity by passkey or code: at the start of the session or later. */
  confirmedAt: Date;
  /** Whether this is an API key, which never counts as confirmed. */
  isKey: boolean;
};

/** The caller, as identified by cookies or an API key alone. */
export type Viewer = {
  visitorId: VisitorId | null;
  /** Null if the panel is locked. */
  admin: Admin | null;
};
