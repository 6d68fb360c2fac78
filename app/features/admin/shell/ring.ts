import { readStored, store } from "../../browser-storage.ts";

const settingKey = "admin-ring";
const lastOrderKey = "admin-rung";
/** Two notes a fourth apart. */
const notesHz = [659, 880];
const noteSeconds = 0.45;
/** Time from the start of one note to the start of the next. */
const stepSeconds = 0.16;
/** Volume, from 0 to 1. */
const volume = 0.09;

/** Whether this browser rings for new orders; on by default. */
export function isRingOn(): boolean {
  return readStored("local", settingKey) !== "off";
}

export function setRing(isOn: boolean): void {
  store("local", settingKey, isOn ? null : "off");
}

/** Rings once for an order, even if several tabs are open. */
export function ringFor(orderId: string): void {
  if (!isRingOn() || readStored("local", lastOrderKey) === orderId) return;
  store("local", lastOrderKey, orderId);
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
        const startsAt = context.currentTime + index * stepSeconds;
        const tone = context.createOscillator();
        const gain = context.createGain();
        tone.frequency.value = hz;
        gain.gain.setValueAtTime(0, startsAt);
        // A short fade-in and a fade-out avoid clicks; an exponential ramp cannot end at 0.
        gain.gain.linearRampToValueAtTime(volume, startsAt + 0.02);
        gain.gain.exponentialRampToValueAtTime(0.0001, startsAt + noteSeconds);
        tone.connect(gain).connect(context.destination);
        tone.start(startsAt);
        tone.stop(startsAt + noteSeconds);
      }
    })
    .catch(() => {});
}
