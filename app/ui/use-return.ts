import { useEffect, useState } from "react";

/** Counts how often the user has returned to this page from another tab, window or program. */
export function useReturn(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === "visible") setCount((before) => before + 1);
    };
    window.addEventListener("focus", onReturn);
    // On phones, changing tabs does not focus the window.
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
  return count;
}
