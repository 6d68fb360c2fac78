import { and, eq, isNotNull, ne } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { secrets } from "./tables.ts";

/**
 * At each start: encrypts secrets of an older key with the current one, so that the older key can be discarded. The version
 * stays the same, and servers that have only the older key continue with the values in memory.
 */
export async function rotateSecretsKey({ db, log, secretsKey }: ShopContext): Promise<void> {
  // Reading `id` generates the key in DATA_DIR at the first start, not with the first secret.
  if (secretsKey.id === null) {
    log.warn({ reason: secretsKey.problem }, "there is no key for secrets: none can be kept in the panel");
    return;
  }
  const older = await db
    .select()
    .from(secrets)
    .where(and(isNotNull(secrets.sealed), ne(secrets.keyId, secretsKey.id)));
  for (const { name, sealed, keyId, version } of older) {
    const value = sealed === null || keyId === null ? null : secretsKey.open(name, sealed, keyId);
    if (value === null) continue;
    await db
      .update(secrets)
      .set(secretsKey.seal(name, value))
      .where(and(eq(secrets.name, name), eq(secrets.version, version)));
    log.info({ secret: name }, "a stored secret was encrypted with the present key");
  }
}
