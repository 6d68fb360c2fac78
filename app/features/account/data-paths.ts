/** What the account page's form may ask a link for. */
export const dataPaths = { export: "/api/account/export", deletion: "/api/account/deletion" };
