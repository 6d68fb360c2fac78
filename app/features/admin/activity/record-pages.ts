/** The pages of the Activity tab: what was done, and where the panel is unlocked. */
export const recordPages = [
  { to: "/admin/activity", label: "Changes" },
  { to: "/admin/sessions", label: "Sessions" },
];
