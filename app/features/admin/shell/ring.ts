import { readStored, store } from "../../browser-storage.ts";

const onKey = "admin-ring";
const lastKey = "admin-rung";
/** Two notes a fourth apart, and the duration of each. */
const notesHz = [659, 880];
const noteS = 0.45;
/** Volume, from 0 to 1. */
const volume = 0.09;

/** Whether this browser rings for new orders; on by default. */
export function isRingOn(): boolean {
  return readStored("local", onKey) !== "off";
}

export function setRing(isOn: boolean): void {
  store("local", onKey, isOn ? null : "off");
}

/** Rings once for an order, even if several tabs are open. */
export function ringFor(orderId: string): void {
  if (!isRingOn() || readStored("local", lastKey) === orderId) return;
  store("local", lastKey, orderId);
  ring();
}

let audio: AudioContext | null = null;

/** Plays a soft sound. Browsers block it before the first click on the page. */
export function ring(): void {
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const context = audio;
  void context
    .resume()
    .then(() => {
      for (const [index, hz] of notesHz.entries()) {
        const from = context.currentTime + index * 0.16;
        const tone = context.createOscillator();
        const gain = context.createGain();
        tone.frequency.value = hz;
        gain.gain.setValueAtTime(0, from);
        gain.gain.linearRampToValueAtTime(volume, from + 0.02);
        gain.gain.exponentialRampToValueAtTime(0.0001, from + noteS);
        tone.connect(gain).connect(context.destination);
        tone.start(from);
        tone.stop(from + noteS);
      }
    })
    .catch(() => {});
}
