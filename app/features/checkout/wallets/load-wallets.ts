/** In a file of its own: what `wallets.tsx` needs in its turn is then a list that no page has to load. */
export const loadWallets = () => import("./wallets.tsx");
