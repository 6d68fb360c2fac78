import type { AdminProductImage } from "../../../../../domain/catalog/product-admin.ts";
import { uploadLimits } from "../../../../../domain/catalog/upload-limits.ts";
import { type ApiResult, noResponse, readApiResult } from "../../../api.ts";

/** Long enough for 10 MiB over a slow mobile connection. */
const uploadMs = 10 * 60_000;

/** Uploads one picture. `onProgress` receives the uploaded fraction, 0 to 1; `fetch` cannot report it. Never throws. */
export function uploadPicture(
  productId: number,
  { file, alt, onProgress }: { file: File; alt: string; onProgress: (fraction: number) => void },
): Promise<ApiResult<{ data: AdminProductImage }>> {
  const form = new FormData();
  form.set("alt", alt);
  form.set("image", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/admin/products/${productId}/images`);
    request.timeout = uploadMs;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    const fail = () => resolve({ ok: false, problem: noResponse });
    request.onerror = fail;
    request.ontimeout = fail;
    request.onload = () => {
      const { status, responseText } = request;
      readApiResult("POST /api/admin/products/:id/images", new Response(responseText, { status })).then(
        resolve,
        fail,
      );
    };
    request.send(form);
  });
}

/** The problem with a file's type or size, or null. The server decodes each uploaded picture and checks it again. */
export function pictureProblem(file: File): string | null {
  if (!uploadLimits.types.some((type) => type === file.type)) {
    return "This is not a JPEG, PNG, WebP or AVIF picture. Save it as one of these and choose it again.";
  }
  if (file.size > uploadLimits.bytes) {
    const megabytes = (file.size / 1024 / 1024).toFixed(1);
    return `This file has ${megabytes} MiB. At most 10: save it smaller and choose it again.`;
  }
  return null;
}

/** A small version to show during the upload, as a data URL, and the picture's width in pixels; null if the browser cannot decode it. */
export async function readPreview(file: File): Promise<{ preview: string; width: number } | null> {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, 240 / picture.width);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const { width } = picture;
    picture.close();
    return { preview: canvas.toDataURL("image/jpeg", 0.7), width };
  } catch {
    return null;
  }
}
