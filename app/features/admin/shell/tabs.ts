import type { LucideIcon } from "lucide-react";
import Bell from "lucide-react/icons/bell";
import ClipboardCheck from "lucide-react/icons/clipboard-check";
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
import type { AdminCounts } from "../../../../domain/admin/admin.ts";

type Count = Exclude<keyof AdminCounts, "mailIsSet">;

export type AdminTab = {
  to: string;
  label: string;
  glyph: LucideIcon;
  /** Jumped to with `g` and this letter. */
  letter: string;
  /** What is counted behind it, and the words a screen reader hears after the number. */
  waiting?: { count: Count; and?: Count; words: string };
  /** Other addresses that belong to it. */
  also?: string[];
  /** What is said where it does not come at all; without it, that the page did not. */
  failure?: string;
};

/** The panel's sections, in the order of its navigation. */
export const adminTabs: AdminTab[] = [
  {
    to: "/admin",
    label: "Overview",
    glyph: LayoutDashboard,
    letter: "o",
    waiting: { count: "attention", words: "need attention" },
    also: ["/admin/donations"],
  },
  {
    to: "/admin/products",
    label: "Manage Products",
    glyph: Tag,
    letter: "p",
    failure: "Failed to load products",
  },
  {
    to: "/admin/orders",
    label: "View Orders",
    glyph: Package,
    letter: "v",
    failure: "Failed to load Stripe orders",
    waiting: { count: "ordersToShip", words: "to ship" },
  },
  {
    to: "/admin/reviews",
    label: "Reviews",
    glyph: Star,
    letter: "r",
    waiting: { count: "heldReviews", and: "heldPhotos", words: "held" },
  },
  {
    to: "/admin/questions",
    label: "Questions",
    glyph: MessageCircleQuestion,
    letter: "q",
    waiting: { count: "openQuestions", words: "to answer" },
  },
  {
    to: "/admin/messages",
    label: "Messages",
    glyph: Inbox,
    letter: "m",
    waiting: { count: "unreadMessages", words: "unread" },
  },
  { to: "/admin/subscribers", label: "Subscribers", glyph: MailPlus, letter: "u" },
  { to: "/admin/discounts", label: "Discounts", glyph: TicketPercent, letter: "d" },
  { to: "/admin/notifications", label: "Notification Settings", glyph: Bell, letter: "n" },
  { to: "/admin/settings", label: "Settings", glyph: Settings, letter: "s" },
  { to: "/admin/money", label: "Money check", glyph: Scale, letter: "c" },
  {
    to: "/admin/go-live",
    label: "Go-live check",
    glyph: ClipboardCheck,
    letter: "l",
    also: ["/admin/backups"],
  },
  {
    to: "/admin/activity",
    label: "Activity",
    glyph: History,
    letter: "a",
    also: ["/admin/jobs", "/admin/sessions"],
    waiting: { count: "failedJobs", words: "jobs gave up" },
  },
];

/** Whether an address is the tab's, or one below it. */
export function isWithin({ to, also = [] }: AdminTab, pathname: string): boolean {
  return pathname === to || also.includes(pathname) || (to !== "/admin" && pathname.startsWith(`${to}/`));
}
