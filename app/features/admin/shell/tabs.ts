import type { LucideIcon } from "lucide-react";
import Bell from "lucide-react/icons/bell";
import Inbox from "lucide-react/icons/inbox";
import Landmark from "lucide-react/icons/landmark";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import Megaphone from "lucide-react/icons/megaphone";
import Package from "lucide-react/icons/package";
import PackageCheck from "lucide-react/icons/package-check";
import ServerCog from "lucide-react/icons/server-cog";
import Star from "lucide-react/icons/star";
import Store from "lucide-react/icons/store";
import Tag from "lucide-react/icons/tag";
import Users from "lucide-react/icons/users";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";
import type { ApiKeys } from "../../../shop-context.ts";

type Count = Exclude<keyof AdminCounts, "mailIsSet" | "mailOutage">;

/** The API call that settles the items of a count, if some roles may open the page but not make the call. */
export const workCalls: Partial<Record<Count, ApiKeys>> = {
  attention: "POST /api/admin/attention/:id/resolve",
  ordersToShip: "POST /api/admin/orders/ship",
  openReturns: "PATCH /api/admin/returns/:id",
};

/** A page of the panel that a menu entry leads to. */
export type AdminPageLink = {
  to: string;
  label: string;
  /** The shortcut `g` and this letter opens it. */
  letter?: string;
};

/** An entry of the menu. */
export type AdminTab = {
  label: string;
  /** Longer name, for screen readers and the page's heading. */
  name?: string;
  glyph: LucideIcon;
  /** Heading under which the entry is listed. */
  group: "every day" | "shoppers" | "shop";
  /** The entry's pages. Those that the viewer may open are tabs below the heading; the entry opens the first. */
  pages: readonly [AdminPageLink, ...AdminPageLink[]];
  /** The counts summed in the entry's badge, and the label that screen readers read after the sum. */
  openWork?: { counts: readonly Count[]; label: string };
  /** Other paths that belong to the entry. */
  otherPaths?: string[];
  /** Error title if one of the entry's pages cannot be loaded; a general one by default. */
  failure?: string;
};

/** The menu of the panel, in its order. */
export const adminTabs: AdminTab[] = [
  {
    label: "Overview",
    group: "every day",
    glyph: LayoutDashboard,
    pages: [{ to: "/admin", label: "Overview", letter: "o" }],
    openWork: { counts: ["attention"], label: "need attention" },
  },
  {
    label: "Orders",
    name: "View Orders",
    group: "every day",
    glyph: Package,
    pages: [{ to: "/admin/orders", label: "View Orders", letter: "v" }],
    otherPaths: ["/admin/packing-slips", "/admin/drafts", "/admin/disputes", "/admin/ship-next"],
    failure: "Failed to load Stripe orders",
    openWork: { counts: ["ordersToShip", "openReturns"], label: "to ship or to answer" },
  },
  {
    label: "Messages",
    group: "every day",
    glyph: Inbox,
    pages: [
      { to: "/admin/messages", label: "Inbox", letter: "m" },
      { to: "/admin/messages/sent", label: "Sent" },
    ],
    openWork: { counts: ["unreadMessages"], label: "unread" },
  },
  {
    label: "Products",
    name: "Manage Products",
    group: "shoppers",
    glyph: Tag,
    pages: [{ to: "/admin/products", label: "Manage Products", letter: "p" }],
    otherPaths: ["/admin/import/products", "/admin/import/stock"],
    failure: "Failed to load products",
  },
  {
    label: "Customers",
    group: "shoppers",
    glyph: Users,
    pages: [{ to: "/admin/customers", label: "Customers", letter: "b" }],
    otherPaths: ["/admin/import/customers"],
    failure: "Failed to load customers",
  },
  {
    label: "Marketing",
    group: "shoppers",
    glyph: Megaphone,
    pages: [
      { to: "/admin/discounts", label: "Discounts", letter: "d" },
      { to: "/admin/campaigns", label: "Newsletters", letter: "w" },
      { to: "/admin/subscribers", label: "Subscribers", letter: "u" },
      { to: "/admin/sources", label: "Sources" },
    ],
    otherPaths: ["/admin/import/discounts", "/admin/import/subscribers"],
  },
  {
    label: "Reviews",
    group: "shoppers",
    glyph: Star,
    pages: [
      { to: "/admin/reviews", label: "Reviews", letter: "r" },
      { to: "/admin/questions", label: "Questions", letter: "q" },
    ],
    openWork: { counts: ["heldReviews", "heldPhotos", "openQuestions"], label: "held or to answer" },
  },
  {
    label: "Money",
    group: "shop",
    glyph: Landmark,
    pages: [
      { to: "/admin/books", label: "Accountant", letter: "f" },
      { to: "/admin/money", label: "Money check", letter: "c" },
      { to: "/admin/donations", label: "Giving" },
    ],
  },
  {
    label: "Shop",
    group: "shop",
    glyph: Store,
    pages: [
      { to: "/admin/content", label: "Texts", letter: "t" },
      { to: "/admin/content/menu", label: "Menu" },
      { to: "/admin/content/emails", label: "Emails" },
      { to: "/admin/settings", label: "Settings", letter: "s" },
      { to: "/admin/settings/keys", label: "Keys", letter: "k" },
    ],
  },
  {
    label: "Notification Settings",
    group: "shop",
    glyph: Bell,
    pages: [{ to: "/admin/notifications", label: "Notification Settings", letter: "n" }],
  },
  {
    label: "System",
    group: "shop",
    glyph: ServerCog,
    pages: [
      { to: "/admin/go-live", label: "Go-live check", letter: "l" },
      { to: "/admin/backups", label: "Backups" },
      { to: "/admin/jobs", label: "Background work" },
      { to: "/admin/activity", label: "Activity", letter: "a" },
      { to: "/admin/people", label: "People", letter: "e" },
      { to: "/admin/sessions", label: "Sessions" },
    ],
    openWork: { counts: ["failedJobs"], label: "failed jobs" },
  },
];

/** First entry for packers, who have no overview. */
export const packingTab: AdminTab = {
  label: "Ship next",
  group: "every day",
  glyph: PackageCheck,
  pages: [{ to: "/admin/ship-next", label: "Ship next" }],
};

/** The account page, which is not in the menu but in the corner of the frame. */
export const accountPage: AdminPageLink = { to: "/admin/account", label: "My account", letter: "y" };

/**
 * On phones, a role with at most `maxBarEntries` menu entries has all of them in the bottom bar. Otherwise the bar has the
 * entries of `barLabels`, and the others are under More.
 */
export const maxBarEntries = 4;
export const barLabels: readonly string[] = ["Ship next", "Overview", "Orders", "Messages", "Products"];

/** Number of open items of these tabs; 0 while it is unknown. */
export function openWorkIn(tabs: readonly AdminTab[], counts: AdminCounts | null): number {
  if (counts === null) return 0;
  return tabs.flatMap(({ openWork }) => openWork?.counts ?? []).reduce((sum, name) => sum + counts[name], 0);
}

/** Whether a path belongs to the tab. */
export function isWithin({ pages, otherPaths = [] }: AdminTab, pathname: string): boolean {
  const isUnder = (start: string) => pathname === start || pathname.startsWith(`${start}/`);
  return (
    pages.some(({ to }) => (to === "/admin" ? pathname === to : isUnder(to))) || otherPaths.some(isUnder)
  );
}
