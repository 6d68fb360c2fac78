import { useEffect, useRef, useState } from "react";
import type { AdminProductImage } from "../../../../../domain/catalog/product-admin.ts";
import { toast } from "../../../../ui/toast.tsx";
import { callApi } from "../../../api.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";

const undoMs = 10_000;

/**
 * Hides deleted pictures at once, and deletes them on the server after ten seconds unless undone. Navigating to another
 * page deletes them immediately; after a reload, a pending picture is still there.
 */
export function useDeletions(productId: number) {
  const [gone, setGone] = useState<readonly number[]>([]);
  const timers = useRef(new Map<number, number>());
  const action = useAdminAction("DELETE /api/admin/products/:id/images/:imageId", {
    failure: "The picture was not deleted",
  });
  const comeBack = (imageId: number) => setGone((before) => before.filter((id) => id !== imageId));

  useEffect(() => {
    const { current: waiting } = timers;
    return () => {
      for (const [imageId, timer] of waiting) {
        window.clearTimeout(timer);
        void callApi("DELETE /api/admin/products/:id/images/:imageId", {
          params: { id: productId, imageId },
        });
      }
      waiting.clear();
    };
  }, [productId]);

  function remove({ id: imageId, alt }: AdminProductImage) {
    setGone((before) => [...before, imageId]);
    const timer = window.setTimeout(async () => {
      timers.current.delete(imageId);
      await action.run({ params: { id: productId, imageId } });
      comeBack(imageId);
    }, undoMs);
    timers.current.set(imageId, timer);
    toast({
      title: "Picture deleted",
      description: `“${alt}” leaves the shop in 10 seconds.`,
      durationMs: undoMs,
      action: {
        label: "Undo",
        run: () => {
          window.clearTimeout(timers.current.get(imageId));
          if (timers.current.delete(imageId)) comeBack(imageId);
        },
      },
    });
  }

  return { gone, remove };
}
