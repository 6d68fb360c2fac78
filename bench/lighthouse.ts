import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as v from "valibot";
import { launchBrowser } from "../test/browser.ts";
import { freePort } from "../test/free-port.ts";

/** Fetched by npx the first time: with all it needs it is a sixth of what everything else takes. */
const lighthouse = "lighthouse@13.5.0";
const categories = ["performance", "accessibility", "best-practices", "seo"];

const reportSchema = v.object({
  categories: v.record(v.string(), v.object({ id: v.string(), score: v.nullable(v.number()) })),
});

export type Scores = Record<string, number>;

/** Lighthouse's mobile categories of one page, 0 to 100 each. */
export async function measureLighthouse(url: string): Promise<Scores> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const { stdout } = await promisify(execFile)(
      "npx",
      [
        ...["--yes", lighthouse, url, `--port=${port}`, "--quiet", "--output=json"],
        `--only-categories=${categories.join(",")}`,
      ],
      { maxBuffer: 50_000_000 },
    );
    const report = v.parse(reportSchema, JSON.parse(stdout));
    return Object.fromEntries(
      Object.values(report.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
    );
  } finally {
    await browser.close();
  }
}
