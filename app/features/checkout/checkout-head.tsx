import { Stepper } from "./stepper.tsx";

export function CheckoutHead({ step }: { step: number }) {
  return (
    <div className="grid gap-4 pt-[clamp(1.5rem,1rem+2vw,3rem)] pb-9">
      <h1 tabIndex={-1} className="text-[clamp(2rem,1.6rem+1.6vw,3rem)]">
        Checkout
      </h1>
      <Stepper current={step} />
    </div>
  );
}
