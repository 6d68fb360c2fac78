export const machinePages = [
  { to: "/admin/go-live", label: "Go-live check" },
  { to: "/admin/backups", label: "Backups" },
];
