import * as v from "valibot";
import { emailSchema } from "../shared/email-address.ts";
import { requiredLine } from "../shared/required-text.ts";
import { roles } from "./roles.ts";

/** Hours for which the link of an invitation is valid. */
export const invitationHours = 72;
export const maxPasskeys = 20;

const personStates = ["invited", "active", "deactivated"] as const;

/** A person with an account in the panel. Times ISO 8601 UTC. */
export const personSchema = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  role: v.picklist(roles),
  state: v.picklist(personStates),
  /** End of the invitation link's validity; null if there is none. */
  linkExpiresAt: v.nullable(v.string()),
  passkeys: v.number(),
  sessions: v.number(),
  /** Last use of the panel under this name; null if never, or too long ago. */
  lastSeenAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type Person = v.InferOutput<typeof personSchema>;

/** `link`: shown once, to be sent by hand, if the shop cannot send e-mail. */
export const invitedSchema = v.object({ person: personSchema, link: v.nullable(v.string()) });

const name = requiredLine(80, "Enter a name");
const role = v.picklist(roles, "Choose a role");

export const newPersonSchema = v.object({ name, email: emailSchema, role });
export const ownAccountSchema = v.object({ name, email: emailSchema });
export const personChangeSchema = v.object({
  name: v.optional(name),
  role: v.optional(role),
  /** False ends all sessions and revokes access. */
  active: v.optional(v.boolean("Must be true or false")),
});

export const passkeySchema = v.object({
  id: v.string(),
  name: v.string(),
  /** Whether its provider syncs it to several devices. */
  isSynced: v.boolean(),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
});
export type Passkey = v.InferOutput<typeof passkeySchema>;

export const passkeyNameSchema = requiredLine(60, "Enter a name");

/** Null: the caller entered the access code. */
export const ownAccountResponseSchema = v.object({
  role: v.picklist(roles),
  person: v.nullable(v.object({ id: v.string(), name: v.string(), email: v.string() })),
  passkeys: v.array(passkeySchema),
  /** Whether the caller confirmed their identity within the last minutes, so that no call asks for it again. */
  isConfirmed: v.boolean(),
  /** Why this site cannot have passkeys; null if it can. */
  passkeyProblem: v.nullable(v.string()),
});

const credentialSchema = v.object({ id: v.string(), type: v.literal("public-key") });

/** Argument of `navigator.credentials.create` (WebAuthn's PublicKeyCredentialCreationOptionsJSON). */
export const passkeyCreationOptionsSchema = v.object({
  challenge: v.string(),
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ type: v.literal("public-key"), alg: v.number() })),
  timeout: v.number(),
  excludeCredentials: v.array(credentialSchema),
  authenticatorSelection: v.object({
    residentKey: v.literal("required"),
    requireResidentKey: v.literal(true),
    userVerification: v.literal("required"),
  }),
});

/** Argument of `navigator.credentials.get` (WebAuthn's PublicKeyCredentialRequestOptionsJSON). */
export const passkeyRequestOptionsSchema = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal("required"),
  /** If empty, any passkey that the device has for this shop. */
  allowCredentials: v.array(credentialSchema),
});

/** Rights of the caller's session. */
export const rightsSchema = v.object({
  role: v.picklist(roles),
  /** Null for a sign-in with the access code. */
  name: v.nullable(v.string()),
  /** The keys of the calls that the role may make; null if it may make all. */
  calls: v.nullable(v.array(v.string())),
});
export type Rights = v.InferOutput<typeof rightsSchema>;

const base64url = (max: number) => v.pipe(v.string(), v.regex(/^[\w-]*$/), v.maxLength(max));
const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: v.literal("public-key"),
  clientExtensionResults: v.optional(v.record(v.string(), v.unknown()), {}),
};

/** The browser's response for a new passkey (WebAuthn's RegistrationResponseJSON). */
export const newPasskeySchema = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(16_000),
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(8)), []),
  }),
});

/** The browser's response for a used passkey (WebAuthn's AuthenticationResponseJSON). */
export const usedPasskeySchema = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
  }),
});
