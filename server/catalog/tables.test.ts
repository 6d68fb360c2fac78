import { getTableConfig, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { maxBundleQuantity, minBundleQuantity } from "../../domain/catalog/bundles.ts";
import { uploadLimits } from "../../domain/catalog/upload-limits.ts";
import { pictureOriginals, productBundles } from "./tables.ts";

const findCheck = (table: PgTable, name: string) => {
  const constraint = getTableConfig(table).checks.find((check) => check.name === name);
  return constraint && new PgDialect().sqlToQuery(constraint.value).sql;
};

test("the database's constraints enforce the same limits as the forms", () => {
  expect(findCheck(productBundles, "product_bundles_quantity")).toContain(
    `between ${minBundleQuantity} and ${maxBundleQuantity}`,
  );
  expect(findCheck(pictureOriginals, "picture_originals_size")).toContain(
    `between 1 and ${uploadLimits.bytes}`,
  );
});
