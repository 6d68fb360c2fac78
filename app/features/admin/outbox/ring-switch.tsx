import Volume2 from "lucide-react/icons/volume-2";
import { useBrowserState } from "../../../ui/browser-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Switch } from "../kit/switch.tsx";
import { isRingOn, ring, setRing } from "../shell/ring.ts";
import { Panel } from "./panel.tsx";

/** The sound of a new order, for this browser alone. */
export function RingSwitch() {
  const [isOn, setOn] = useBrowserState(true, isRingOn);
  return (
    <Panel title="In this browser">
      <Switch
        name="ring"
        label="Play a sound when an order comes in"
        hint="While the panel is open here. Most browsers play no sound until you have tapped the page once."
        checked={isOn}
        onChange={(next) => {
          setRing(next);
          setOn(next);
          if (next) ring();
        }}
      />
      <Button variant="secondary" size="small" className="justify-self-start" onClick={ring}>
        <Icon glyph={Volume2} size="small" /> Play the sound
      </Button>
    </Panel>
  );
}
