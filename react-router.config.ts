import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  appDirectory: "app",
  buildDirectory: "build",
  // Six routes: shipping the whole table once is smaller than asking for it page by page.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
