import { type ReactNode, useContext } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteLoaderData,
} from "react-router";
import logo from "../assets/brand/logo.svg";
import figtree from "../assets/fonts/figtree.woff2?url";
import fraunces from "../assets/fonts/fraunces.woff2?url";
import { consentText, welcomeText } from "../domain/newsletter/consent-text.ts";
import { countryNotes } from "../domain/shipping/country-notes.ts";
import type { Route } from "./+types/root";
import "./shop.css";
import FlaskConical from "lucide-react/icons/flask-conical";
import { OfflineWatch } from "./offline/offline-watch.tsx";
import { privatePageMeta } from "./seo/page-meta.ts";
import { StructuredData } from "./seo/structured-data.tsx";
import { earlyPressScript } from "./shell/early-press.ts";
import { PageFocus } from "./shell/page-focus.tsx";
import { PageProblem } from "./shell/page-problem.tsx";
import { ScriptNonceContext } from "./shell/script-nonce.ts";
import { shopContext } from "./shop-context.ts";
import { Icon } from "./ui/icon.tsx";
import { Toasts } from "./ui/toast.tsx";

/** The data of the frame around all pages. They are the same for everybody, so that public pages stay cacheable. */
export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const [settings, timeZone, products, menu, welcome] = await Promise.all([
    shop.settings(),
    shop.timeZone(),
    shop.familyNames(),
    shop.menu(),
    // A page must not fail because of its footer.
    shop.welcome().catch((error: unknown) => {
      shop.report(error);
      return null;
    }),
  ]);
  return {
    isTestMode: shop.frame.provider === "sandbox",
    isDevelopment: shop.frame.development,
    publicUrl: shop.frame.publicUrl,
    year: new Date().getUTCFullYear(),
    brandName: settings.brandName,
    currencyDisplay: settings.currencyDisplay,
    pausedText: settings.pausedText,
    timeZone,
    givingPercent: settings.givingPercent,
    contact: settings.contact,
    social: settings.social,
    /** The text beside the newsletter's form; null if there is no newsletter. */
    newsletter: settings.newsletter ? consentText(settings.brandName) : null,
    /** "Your welcome once you confirm: 10% off any order."; null if there is no welcome discount. */
    welcome: welcome && welcomeText(welcome),
    shippingNotes: countryNotes(settings.shipping),
    products,
    menu,
  };
}

/** The frame's data are the same on all pages. */
export function shouldRevalidate() {
  return false;
}

/** The title if the frame's loader fails; all pages set their own. */
export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Palmira");

export const links: Route.LinksFunction = () => [
  ...[fraunces, figtree].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

export function Layout({ children }: { children: ReactNode }) {
  const frame = useRouteLoaderData<typeof loader>("root");
  const { pathname, search } = useLocation();
  const nonce = useContext(ScriptNonceContext);
  // Cart and checkout show the browser's cart, which needs scripts. Without scripts they show the server's cart.
  const needsScripts = (pathname === "/cart" || pathname === "/checkout") && !search.includes("kept=");
  return (
    // With real payments, only some pages may load the provider's scripts: see app/entry.client.tsx.
    <html lang="en" data-has-provider={frame && !frame.isTestMode ? "" : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="theme-color" content="#FBF7EF" />
        <Meta />
        <Links />
        <link rel="manifest" href={`/${pathname.startsWith("/admin") ? "admin" : "site"}.webmanifest`} />
        <StructuredData />
        {needsScripts && (
          <noscript>
            <meta httpEquiv="refresh" content={`0;url=${pathname}?kept=1`} />
          </noscript>
        )}
        <script
          nonce={nonce}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? earlyPressScript : "" }}
          suppressHydrationWarning
        />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <a
        href="#main"
        className="absolute -top-16 left-4 z-(--z-skip) rounded-sm bg-forest-800 px-[1.1rem] py-3 text-paper focus:top-3"
      >
        Skip to content
      </a>
      <PendingBar />
      {loaderData.isTestMode && <TestModeBanner />}
      {loaderData.pausedText && (
        <aside aria-label="New orders" className="bg-warning-bg px-(--gutter) py-2 text-center print:hidden">
          {loaderData.pausedText}
        </aside>
      )}
      <Outlet />
      <PageFocus />
      <Toasts />
      <OfflineWatch />
    </>
  );
}

/** Shows immediately that the requested page is loading; not animated if the visitor prefers reduced motion. */
function PendingBar() {
  if (useNavigation().state === "idle") return null;
  return (
    <div
      aria-hidden="true"
      data-pending
      className="animate-pending fixed inset-x-0 top-0 z-(--z-skip) h-[3px] origin-left bg-copper-600 forced-colors:bg-[Highlight] print:hidden"
    />
  );
}

/** Error page if the frame's loader fails: without header, but with links. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main id="main" className="wrap grid min-h-[80svh] content-center justify-items-center">
      <a href="/" className="inline-flex min-h-11 items-center">
        <img src={logo} width={168} height={33} alt="Palmira, home" />
      </a>
      <PageProblem isMissing={isMissing} />
    </main>
  );
}

/** Shown on every page of a shop without a real payment provider, and on printed receipts, but not on packing slips. */
function TestModeBanner() {
  return (
    <aside
      data-test-mode
      aria-label="Test mode"
      className="flex items-center justify-center gap-2 bg-info-bg px-(--gutter) py-2 text-center print:[body:has([data-slips])_&]:hidden text-caption font-medium text-info"
    >
      <Icon glyph={FlaskConical} size="small" className="max-sm:hidden" />
      <p>Test mode: payments are simulated, no card is charged</p>
    </aside>
  );
}
