import pg from "pg";
import { afterAll, beforeAll, expect, inject, vi } from "vitest";
import { databaseUrlOf } from "../test/running-shop.ts";
import { at } from "./shopper.ts";

let pool: pg.Pool;

/** Opens the shop's database for the test file: call it once at the file's top. Price and stock are put back after it. */
export function shareDatabase(): void {
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: databaseUrlOf(inject("shopDataDir")), max: 1 });
  });
  afterAll(async () => {
    await setPrice(2995);
    await setStock(500);
    await pool.end();
  });
}

/** As the owner would change it; answers once the shop shows the new price. */
export async function setPrice(cents: number): Promise<void> {
  await pool.query("update products set price_cents = $1 where id = 1", [cents]);
  await shows({ price: cents });
}

/** Leaves this many units free to sell; answers once the shop shows it. */
export async function setStock(units: number): Promise<void> {
  await pool.query("update stock set on_hand = reserved + $1 where product_id = 1", [units]);
  await shows({ stock: units > 10 ? null : units });
}

/** Orders of this address, oldest first. */
export async function ordersOf(email: string): Promise<{ number: string; status: string }[]> {
  const { rows } = await pool.query(
    "select number::text, status from orders where email = $1 order by number",
    [email],
  );
  return rows;
}

/** Waits until the shop shows the product so: it hears of changes in its database a moment later. */
async function shows(wanted: { price: number } | { stock: number | null }): Promise<void> {
  await vi.waitFor(async () => {
    const answer = await fetch(at("/api/products/pure-batana-oil"));
    const { data } = (await answer.json()) as { data: object };
    expect(data).toMatchObject(wanted);
  }, 5000);
}
