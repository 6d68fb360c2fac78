import type { LucideIcon } from "lucide-react";
import Bell from "lucide-react/icons/bell";
import Calculator from "lucide-react/icons/calculator";
import CircleUser from "lucide-react/icons/circle-user";
import ClipboardCheck from "lucide-react/icons/clipboard-check";
import FileText from "lucide-react/icons/file-text";
import History from "lucide-react/icons/history";
import Inbox from "lucide-react/icons/inbox";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import MailPlus from "lucide-react/icons/mail-plus";
import MessageCircleQuestion from "lucide-react/icons/message-circle-question";
import Package from "lucide-react/icons/package";
import Scale from "lucide-react/icons/scale";
import Settings from "lucide-react/icons/settings";
import Star from "lucide-react/icons/star";
import Tag from "lucide-react/icons/tag";
import TicketPercent from "lucide-react/icons/ticket-percent";
import Users from "lucide-react/icons/users";
import type { AdminCounts } from "../../../../domain/admin/admin.ts";

type Count = Exclude<keyof AdminCounts, "mailIsSet" | "mailOutage">;

/** The headings of the side menu. */
export const tabGroups = ["Every day", "Shoppers", "Money", "Shop"] as const;

export type AdminTab = {
  to: string;
  label: string;
  glyph: LucideIcon;
  /** Its group in the side menu and under More. */
  group: (typeof tabGroups)[number];
  /** Its label in the bar at the bottom on phones; tabs without one are under More. */
  inBar?: string;
  /** The shortcut `g` and this letter opens it. */
  letter: string;
  /** The counts summed in the tab's badge, and the words for screen readers after the sum. */
  waiting?: { counts: readonly Count[]; words: string };
  /** Other addresses that belong to it. */
  also?: string[];
  /** Error title when the tab cannot be loaded; a general one by default. */
  failure?: string;
};

/** The pages of the Activity tab: activity log, failed jobs, and open sessions. */
export const activityPages = [
  { to: "/admin/activity", label: "Changes" },
  { to: "/admin/jobs", label: "Background work" },
  { to: "/admin/sessions", label: "Sessions" },
];

/** The pages of the Go-live check tab. */
export const setUpPages = [
  { to: "/admin/go-live", label: "Go-live check" },
  { to: "/admin/backups", label: "Backups" },
];

/** The panel's sections, in the order of its navigation. */
export const adminTabs: AdminTab[] = [
  {
    to: "/admin",
    label: "Overview",
    group: "Every day",
    inBar: "Overview",
    glyph: LayoutDashboard,
    letter: "o",
    waiting: { counts: ["attention"], words: "need attention" },
    also: ["/admin/donations"],
  },
  {
    to: "/admin/products",
    label: "Manage Products",
    group: "Every day",
    inBar: "Products",
    glyph: Tag,
    letter: "p",
    failure: "Failed to load products",
  },
  {
    to: "/admin/orders",
    label: "View Orders",
    group: "Every day",
    inBar: "Orders",
    glyph: Package,
    letter: "v",
    also: ["/admin/ship-next", "/admin/packing-slips", "/admin/drafts", "/admin/disputes"],
    failure: "Failed to load Stripe orders",
    waiting: { counts: ["ordersToShip", "openReturns"], words: "to ship or to answer" },
  },
  {
    to: "/admin/customers",
    label: "Customers",
    group: "Shoppers",
    glyph: Users,
    letter: "b",
    failure: "Failed to load customers",
  },
  {
    to: "/admin/reviews",
    label: "Reviews",
    group: "Shoppers",
    glyph: Star,
    letter: "r",
    waiting: { counts: ["heldReviews", "heldPhotos"], words: "held" },
  },
  {
    to: "/admin/questions",
    label: "Questions",
    group: "Shoppers",
    glyph: MessageCircleQuestion,
    letter: "q",
    waiting: { counts: ["openQuestions"], words: "to answer" },
  },
  {
    to: "/admin/messages",
    label: "Messages",
    group: "Every day",
    inBar: "Messages",
    glyph: Inbox,
    letter: "m",
    waiting: { counts: ["unreadMessages"], words: "unread" },
  },
  { to: "/admin/subscribers", label: "Subscribers", group: "Shoppers", glyph: MailPlus, letter: "u" },
  { to: "/admin/discounts", label: "Discounts", group: "Money", glyph: TicketPercent, letter: "d" },
  { to: "/admin/content", label: "Texts and menu", group: "Shop", glyph: FileText, letter: "t" },
  { to: "/admin/notifications", label: "Notification Settings", group: "Shop", glyph: Bell, letter: "n" },
  { to: "/admin/settings", label: "Settings", group: "Shop", glyph: Settings, letter: "s" },
  {
    to: "/admin/books",
    label: "Accountant",
    group: "Money",
    glyph: Calculator,
    letter: "f",
    failure: "The books could not be loaded",
  },
  { to: "/admin/money", label: "Money check", group: "Money", glyph: Scale, letter: "c" },
  {
    to: "/admin/go-live",
    label: "Go-live check",
    group: "Shop",
    glyph: ClipboardCheck,
    letter: "l",
    also: setUpPages.map(({ to }) => to),
  },
  {
    to: "/admin/activity",
    label: "Activity",
    group: "Shop",
    glyph: History,
    letter: "a",
    also: activityPages.map(({ to }) => to),
    waiting: { counts: ["failedJobs"], words: "jobs gave up" },
  },
  { to: "/admin/people", label: "People", group: "Shop", glyph: Users, letter: "e" },
  { to: "/admin/account", label: "My account", group: "Shop", glyph: CircleUser, letter: "y" },
];

/** The order of the bar on phones: the two most used tabs are near the thumb. */
export const barTabs: AdminTab[] = ["/admin", "/admin/orders", "/admin/messages", "/admin/products"].flatMap(
  (to) => adminTabs.filter((tab) => tab.to === to),
);

/** Number of open items of some tabs; 0 while it is unknown. */
export function waitingIn(tabs: readonly AdminTab[], counts: AdminCounts | null): number {
  if (counts === null) return 0;
  return tabs.flatMap(({ waiting }) => waiting?.counts ?? []).reduce((sum, name) => sum + counts[name], 0);
}

/** Whether an address belongs to the tab. */
export function isWithin({ to, also = [] }: AdminTab, pathname: string): boolean {
  const isUnder = (start: string) => pathname === start || pathname.startsWith(`${start}/`);
  return pathname === to || also.some(isUnder) || (to !== "/admin" && isUnder(to));
}
