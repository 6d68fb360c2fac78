import { useEffect, useState } from "react";

/** Counts how often the shopper has come back to this page, from another tab, window or program. */
export function useReturn(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === "visible") setCount((before) => before + 1);
    };
    window.addEventListener("focus", onReturn);
    // Phones change tabs without giving the window the focus.
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
  return count;
}
