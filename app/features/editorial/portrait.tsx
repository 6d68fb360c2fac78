import founder from "../../../assets/brand/founder.svg";

/** The founder's place. Until there is a picture of a real person, an illustration: replace the file to change it. */
export function Portrait() {
  return (
    <div className="aspect-4/5 max-w-124 overflow-hidden bg-cream">
      <img
        src={founder}
        width={1200}
        height={1500}
        alt="Abstract portrait between palm leaves, in front of a warm sun"
        loading="lazy"
        decoding="async"
        className="size-full object-cover"
      />
    </div>
  );
}
