/** Where the header leads; the footer and the mobile menu repeat it. */
export const mainLinks = [
  { to: "/#benefits", label: "Benefits" },
  { to: "/#howtouse", label: "How to Use" },
];
