/** What the account page's form may ask a link for. */
export const dataCalls = {
  export: "POST /api/account/export",
  deletion: "POST /api/account/deletion",
} as const;
