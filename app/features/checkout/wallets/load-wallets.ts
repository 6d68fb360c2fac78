/** A separate file, so that the list of the chunks that `wallets.tsx` imports is not in every page's script. */
export const loadWallets = () => import("./wallets.tsx");
