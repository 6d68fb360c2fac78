import { formatCents } from "../domain/shared/money.ts";
import type { Figure } from "./figures.ts";
import type { OpenPanel } from "./panel.ts";

const changes = 20;
const page = "/product/pure-batana-oil";

/** From the answer to a new price until the page that is kept for everybody has it: the longest of several. */
export async function measureChange({ shop, cookie }: OpenPanel): Promise<Figure[]> {
  let longestMs = 0;
  for (let change = 1; change <= changes; change += 1) {
    const price = 3_000 + change;
    const answer = await fetch(`${shop.url}/api/products/1/price`, {
      method: "PUT",
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ price }),
    });
    if (!answer.ok) throw new Error(`the new price was answered ${answer.status}`);
    const changedAt = performance.now();
    while (!(await (await fetch(shop.url + page)).text()).includes(formatCents(price)));
    longestMs = Math.max(longestMs, performance.now() - changedAt);
  }
  return [{ name: "a new price on the cached page", value: longestMs, unit: "ms", aim: { most: 1_000 } }];
}
