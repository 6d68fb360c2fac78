import { ChoosePicture } from "../kit/choose-picture.tsx";

/** Replaces the founder's picture with the chosen photograph immediately. */
export function ChooseFounderPicture({ label }: { label: string }) {
  return (
    <ChoosePicture
      call="POST /api/admin/founder-picture"
      name="Photograph of the founder"
      label={label}
      success={{ title: "Photograph saved", description: "It is shown on the home page and in your story." }}
    />
  );
}
