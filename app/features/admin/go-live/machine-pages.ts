/** What the owner looks at about the shop's set-up. */
export const machinePages = [
  { to: "/admin/go-live", label: "Go-live check" },
  { to: "/admin/backups", label: "Backups" },
];
