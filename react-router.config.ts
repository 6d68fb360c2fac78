import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  appDirectory: "app",
  buildDirectory: "build",
  // Sending the whole route table once takes fewer bytes than fetching it page by page. Shoppers get only the shop's half of
  // it (scripts/build/client-files.ts).
  routeDiscovery: { mode: "initial" },
  // The shop has already checked the origin (server/platform/http/origin.ts). The router's own check does not know about proxies
  // that terminate TLS: behind one, it would refuse every form that is sent without JavaScript.
  allowedActionOrigins: ["**"],
} satisfies Config;
