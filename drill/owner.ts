import sharp from "sharp";
import { patienceMs } from "../test/patience.ts";
import { accessCode, type ShopServer, type Site } from "./site.ts";
import { waitUntil } from "./until.ts";

/** The owner's session in the panel, through the balancer. */
export type Owner = {
  /** The session's cookie, as `name=value`. */
  cookie(): string;
  /** Edits a product's text; returns how long (ms) the slowest server takes to show it. */
  editText(text: string): Promise<number>;
  /** Uploads a picture and waits until shoppers see it; returns the URLs of its sizes. */
  upload(): Promise<string[]>;
  /** Compares today's payments at the provider with the orders; returns the number of discrepancies. */
  checkMoney(orderCount: number): Promise<number>;
};

const product = "/api/products/pure-batana-oil";

/** Time limit (ms) for each order in a money check, which reads every payment from the provider. */
const checkMsPerOrder = 10;

export async function openPanel({ balancer, shops }: Site): Promise<Owner> {
  let cookie = "";

  // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
  async function callApi(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(balancer.url + path, {
      method,
      headers: { Cookie: cookie, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const [setCookie] = response.headers.getSetCookie();
    if (setCookie) cookie = setCookie.split(";")[0] ?? "";
    return response.json();
  }

  await callApi("POST", "/api/admin/verify", { accessCode });
  return {
    cookie: () => cookie,
    async editText(text) {
      await callApi("PATCH", "/api/admin/products/1", { shortDescription: text });
      const startedAt = performance.now();
      const showsText = async ({ origin }: ShopServer) => {
        const response = await fetch(origin + product).catch(() => null);
        return response !== null && (await response.text()).includes(text);
      };
      await Promise.all(
        shops.map((shop) => waitUntil(`${shop.name} shows “${text}”`, () => showsText(shop))),
      );
      return performance.now() - startedAt;
    },
    async upload() {
      const bytes = await sharp({ create: { width: 1200, height: 900, channels: 3, background: "#b5703a" } })
        .jpeg()
        .toBuffer();
      const form = new FormData();
      form.set("image", new File([new Uint8Array(bytes)], "bottle.jpg"));
      form.set("alt", "The bottle of the drill");
      const response = await fetch(`${balancer.url}/api/admin/products/1/images`, {
        method: "POST",
        headers: { Cookie: cookie },
        body: form,
      });
      if (response.status !== 201) throw new Error(`No upload: ${response.status} ${await response.text()}`);
      const { data } = (await response.json()) as { data: { id: number } };
      const readImages = async () => (await callApi("GET", "/api/admin/products/1")).data.images;
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const readUpload = async () => (await readImages()).find(({ id }: any) => id === data.id);
      await waitUntil(
        "the picture is processed",
        async () => (await readUpload())?.status !== "processing",
        patienceMs,
      );
      const { status, url, srcset } = await readUpload();
      if (status !== "ready") throw new Error(`The picture is ${status}`);
      const sizes = `${srcset.avif}, ${srcset.webp}`
        .split(", ")
        .map((candidate) => candidate.split(" ")[0] ?? "");
      return [url, ...sizes];
    },
    async checkMoney(orderCount: number) {
      const [today] = new Date().toISOString().split("T");
      const { data } = await callApi("POST", "/api/admin/money-checks", { from: today, to: today });
      const readCheck = async () => (await callApi("GET", `/api/admin/money-checks/${data.id}`)).data;
      await waitUntil(
        "the money check is done",
        async () => (await readCheck()).status !== "running",
        patienceMs + orderCount * checkMsPerOrder,
      );
      const check = await readCheck();
      if (check.status !== "done") throw new Error(`The money check failed: ${check.problem}`);
      return check.openFindings;
    },
  };
}
