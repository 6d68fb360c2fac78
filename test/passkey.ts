import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type CeremonyOptions = { challenge: string };

/** A passkey simulated with Node's cryptography. `counter` increases with each use. */
export class SoftPasskey {
  readonly credentialId = randomBytes(16);
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #origin: string;
  counter = 0;

  constructor(origin: string) {
    this.#key = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#origin = origin;
  }

  /** The browser's response to the options for a new passkey. */
  create({ challenge }: CeremonyOptions) {
    const authData = Buffer.concat([
      this.#head(0x45),
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      this.#coseKey(),
    ]);
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
    const attestation = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from("fmt"),
      Buffer.from([0x64]),
      Buffer.from("none"),
      Buffer.from([0x67]),
      Buffer.from("attStmt"),
      Buffer.from([0xa0, 0x68]),
      Buffer.from("authData"),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    return {
      ...this.#id(),
      response: {
        clientDataJSON: this.#clientData("webauthn.create", challenge).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The browser's response to the options for using a passkey. */
  use({ challenge }: CeremonyOptions) {
    this.counter += 1;
    const authenticatorData = this.#head(0x05);
    const clientData = this.#clientData("webauthn.get", challenge);
    const signedData = Buffer.concat([authenticatorData, createHash("sha256").update(clientData).digest()]);
    return {
      ...this.#id(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signedData, this.#key.privateKey).toString("base64url"),
      },
    };
  }

  #id() {
    const id = this.credentialId.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  /** Hash of the site, flags (present, verified, and 0x40: with a key), counter. */
  #head(flags: number): Buffer {
    const site = createHash("sha256").update(new URL(this.#origin).hostname).digest();
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([site, Buffer.from([flags]), counter]);
  }

  /** ES256 in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, "base64url"),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, "base64url"),
    ]);
  }
}
