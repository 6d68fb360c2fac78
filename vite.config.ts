import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // scripts/build.ts empties what it builds anew; the images and e-mails in build/ stay.
  build: { target: "es2022", emptyOutDir: false },
});
