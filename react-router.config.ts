import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  appDirectory: "app",
  buildDirectory: "build",
  // Shipping the whole table once is smaller than asking for it page by page. Shoppers get the shop's half of it (see
  // scripts/shop-manifest.ts).
  routeDiscovery: { mode: "initial" },
  // The shop has checked the origin before (server/platform/http/origin.ts). The router's own check does not know of proxies
  // that end https, and would refuse every form that is sent there without JavaScript.
  allowedActionOrigins: ["**"],
} satisfies Config;
