import type { ShopSettings } from "../../domain/settings.ts";
import type { PaymentParts } from "../payments/parts.ts";

/** What checkout works with; shop.ts puts it together. */
export type CheckoutParts = PaymentParts & {
  settings(): Promise<ShopSettings>;
  /** Address of a small picture of an image file. */
  thumbnail(file: string): string;
  publicUrl: string;
  reservationSeconds: number;
};
