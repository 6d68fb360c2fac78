import ScanBarcode from "lucide-react/icons/scan-barcode";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useBrowserState } from "../../../ui/browser/browser-state.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";

/** The part of the Barcode Detection API used here. Some browsers lack it, and TypeScript has no types for it. */
type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
declare global {
  interface Window {
    BarcodeDetector?: new (options?: { formats: string[] }) => Detector;
  }
}

const formats = ["code_128", "code_39", "itf", "data_matrix", "qr_code", "pdf417"];
const scanIntervalMs = 150;

/**
 * Button inside the tracking number's field that reads the number with the camera. Rendered only in browsers that can read
 * barcodes.
 */
export function ScanButton({ onScan }: { onScan: (trackingNumber: string) => void }) {
  const [canScan] = useBrowserState(false, () => window.BarcodeDetector !== undefined);
  const [isOpen, setOpen] = useState(false);
  if (!canScan) return null;
  return (
    <>
      <button
        type="button"
        aria-label="Scan barcode"
        className="absolute top-[1.65rem] right-0.75 grid size-11 place-items-center border-l border-line"
        onClick={() => setOpen(true)}
      >
        <Icon glyph={ScanBarcode} />
      </button>
      {isOpen && (
        <Scanner
          onClose={() => setOpen(false)}
          onScan={(text) => {
            setOpen(false);
            onScan(text);
          }}
        />
      )}
    </>
  );
}

function Scanner({ onScan, onClose }: { onScan: (text: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const handleScan = useEffectEvent(onScan);
  useEffect(() => {
    let isUnmounted = false;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      const { mediaDevices } = navigator;
      if (!mediaDevices || !window.BarcodeDetector) return setProblem(problems.none);
      stream = await mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      const element = video.current;
      if (isUnmounted || element === null) return stop();
      element.srcObject = stream;
      await element.play();
      const detector = new window.BarcodeDetector({ formats });
      const scan = async () => {
        if (isUnmounted) return;
        const [code] = await detector.detect(element).catch(() => []);
        const text = code && trackingIn(code.rawValue);
        if (text && !isUnmounted) handleScan(text);
        else timer = setTimeout(() => void scan(), scanIntervalMs);
      };
      await scan();
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch((error: unknown) => {
      if (!isUnmounted) setProblem(cameraProblem(error));
    });
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return (
    <Dialog
      onClose={onClose}
      title="Scan the label"
      description="Hold the barcode of the tracking number in front of the camera."
      actions={<PanelButton onClick={onClose}>Type it instead</PanelButton>}
    >
      {problem ? (
        <Banner className="mt-4" title="The camera can’t be used.">
          {problem}
        </Banner>
      ) : (
        <video
          ref={video}
          muted
          playsInline
          aria-label="What the camera sees"
          className="mt-4 aspect-4/3 w-full rounded-sm bg-forest-800 object-cover"
        />
      )}
    </Dialog>
  );
}

const problems = {
  none: "This device has no camera that the browser can use.",
  refused: "The browser was not allowed to use it. Allow the camera for this page in the browser’s settings.",
  busy: "Another program is using it. Close that one and try again.",
  other: "It did not start. Type the number instead.",
};

function cameraProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return problems.refused;
  if (name === "NotFoundError" || name === "OverconstrainedError") return problems.none;
  return name === "NotReadableError" || name === "AbortError" ? problems.busy : problems.other;
}

/** The tracking number in a scanned code; null for the other codes on a label. */
function trackingIn(text: string): string | null {
  // GS1 labels put separator characters between parts.
  const alphanumericText = text.replace(/[^A-Za-z0-9]/g, "");
  return /^[A-Za-z0-9]{8,40}$/.test(alphanumericText) ? alphanumericText : null;
}
