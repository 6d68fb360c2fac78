import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** The whole site. Checkout and the sandbox's payment page stand outside the shell: nothing there leads away. */
export default [
  layout("shell/shell.tsx", [
    index("routes/home.tsx"),
    route("product/:slug", "routes/product.tsx"),
    route("reviews", "routes/reviews.tsx"),
    route("reviews/new", "routes/reviews-new.tsx"),
    route("cart", "routes/cart.tsx"),
    route("checkout/success", "routes/checkout-success.tsx"),
    route("orders", "routes/orders.tsx"),
    route("orders/find", "routes/orders-find.tsx"),
    route("orders/:id", "routes/order.tsx"),
    route("account/orders", "routes/account-orders.tsx"),
    route("contact", "routes/contact.tsx"),
    route("contact/sent", "routes/contact-sent.tsx"),
    route("contact-simple", "routes/contact-simple.tsx"),
    route("unsubscribe", "routes/unsubscribe.tsx"),
    route("benefits", "routes/benefits.tsx"),
    route("story", "routes/story.tsx"),
    route("how-to-use", "routes/how-to-use.tsx"),
    route("shipping-policy", "routes/shipping-policy.tsx"),
    route("returns-policy", "routes/returns-policy.tsx"),
    route("privacy", "routes/privacy.tsx"),
    route("terms", "routes/terms.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
  route("checkout", "routes/checkout.tsx"),
  route("sandbox/checkout/:id", "routes/sandbox-checkout.tsx"),
  route("admin", "routes/admin.tsx"),
] satisfies RouteConfig;
