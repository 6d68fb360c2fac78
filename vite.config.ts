import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/**
 * Few files instead of many: in small ones a page weighs 3 kB more and takes twice the requests. What most pages share
 * is one file; React and the router are another, which stays in caches when the shop changes. The list of countries is
 * for forms, not for most pages.
 */
const files = [
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: "shop", test: /\/(app|domain(?!\/country)|lucide-react)\//, minShareCount: 5 },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // scripts/build.ts empties what it builds anew; the images and e-mails in build/ stay.
  build: { target: "es2022", emptyOutDir: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: files } } } } },
  },
});
