/** The pages of the Activity tab: what was done, what the shop could not do by itself, and where the panel is unlocked. */
export const recordPages = [
  { to: "/admin/activity", label: "Changes" },
  { to: "/admin/jobs", label: "Background work" },
  { to: "/admin/sessions", label: "Sessions" },
];
