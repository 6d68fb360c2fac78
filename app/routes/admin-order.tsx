import { Drawer } from "../features/admin/kit/drawer.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-order";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Order");

export default function AdminOrder() {
  return (
    <Drawer title="Order" closeTo="/admin/orders">
      This section is being built.
    </Drawer>
  );
}
