/** A separate file, so that the list of chunks that `wallets.tsx` imports is not part of every page's script. */
export const loadWallets = () => import("./wallets.tsx");
