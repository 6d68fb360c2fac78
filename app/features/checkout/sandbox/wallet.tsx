import FlaskConical from "lucide-react/icons/flask-conical";
import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { WalletButtonsProps } from "../wallets/wallets.tsx";

const loadSheet = () => import("./wallet-sheet.tsx");
const WalletSheet = lazy(() => loadSheet().then((module) => ({ default: module.WalletSheet })));

/** The sandbox's replacement for Apple Pay and other wallets; its sheet makes the same API calls as theirs. */
export default function SandboxWallet({ setup, goods, onReady, ...events }: WalletButtonsProps) {
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => onReady(true), []);
  const preload = () => void loadSheet().catch(() => null);
  return (
    <>
      <button
        type="button"
        className="flex min-h-13 w-full items-center justify-center gap-2.5 rounded-sm border border-dashed border-info bg-info-bg px-4 text-body font-medium text-info transition-colors duration-(--dur-2) hover:bg-surface"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => {
          events.onProblem(null);
          loadSheet().then(
            () => setOpen(true),
            () => events.onProblem("The test wallet could not be loaded. Please try again."),
          );
        }}
      >
        <Icon glyph={FlaskConical} size="small" /> Test wallet
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <WalletSheet setup={setup} goods={goods} onClose={() => setOpen(false)} {...events} />
        </Suspense>
      )}
    </>
  );
}
