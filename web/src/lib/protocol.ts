// The shapes of docs/protocol.md. The page knows these and no rule of any game.

export type Side = 'one' | 'two';
export type Eyes = Side | 'spectator' | 'referee';
/** Eyes as the server writes them: a side's are wrapped. */
export type EyesOnWire = { side: Side } | 'spectator' | 'referee' | Side;

export function eyesOf(wire: EyesOnWire): Eyes {
  return typeof wire === 'object' ? wire.side : wire;
}

export interface Me {
  club: boolean;
  person: { id: string; name: string } | null;
  csrf: string;
  version: string;
}

export interface SideInfo {
  id: string;
  name: string;
  colour: string;
  commands: string[];
}

export interface Scenario {
  id: string;
  name: string;
  about: string;
  turns: number;
  /** The number of its first turn. */
  first_turn: number;
  source: string;
}

export interface OptionSpec {
  id: string;
  name: string;
  about: string;
  rule: string;
  kind: 'flag' | { oneof: string[] };
  default: string;
}

export interface GameInfo {
  id: string;
  name: string;
  about: string;
  rules_version: number;
  sides: [SideInfo, SideInfo];
  scenarios: Scenario[];
  options: OptionSpec[];
  overlays: [string, string][];
  rules: { rule: string; text: string }[];
}

export interface Chart {
  id: string;
  name: string;
  source: string;
  head: string[];
  rows: string[][];
  notes: string[];
}

export interface BoardHex {
  hex: string;
  x: number;
  y: number;
  terrain: string;
  place?: { name: string; kind: string; vp?: number };
  zones?: string[];
}

export interface Board {
  name: string;
  source: string;
  box: [number, number, number, number];
  size: number;
  corners: [number, number][];
  layers: { id: string; url: string }[];
  hexes: BoardHex[];
  boxes: { id: string; label: string; at: [number, number, number, number] }[];
  legend: { kind: string; name: string; label: string }[];
  background: string;
}

export interface Seat {
  id: string;
  side: Side;
  command: number;
  holder: 'person' | 'program' | 'open';
  name: string;
  here: boolean;
}

export interface Outcome {
  winner: Side | null;
  text: string;
  rule: string;
}

export interface Clock {
  minutes: number;
  add_seconds: number;
  left: Record<Side, number>;
  runs: Side | null;
  flag: Side | null;
}

export interface Match {
  id: string;
  title: string;
  game: string;
  scenario: string;
  options: Record<string, string>;
  made: number;
  turned: number;
  n: number;
  step: number;
  turn: number;
  date: string;
  asks: Side | null;
  waiting: boolean;
  outcome: Outcome | null;
  mine: string[];
  seats: Seat[];
  watch: string;
  handover: boolean;
  clock: Clock | null;
  rematch: string | null;
  dice: string;
  overlay?: { name: string; digest: string } | null;
}

/** A folder of text files laid over the data of a game. */
export interface OverlayInfo {
  name: string;
  digest: string | null;
  files: string[];
  faults: string[];
}

export type OverlayPick = { name: string; digest?: string } | { path: string; digest?: string };

export type Holder = 'me' | 'open' | { program: string | { id: string; seconds: number } };

export interface NewMatch {
  game: string;
  scenario: string;
  options: Record<string, string>;
  title?: string;
  seats: Record<string, Holder>;
  word?: string;
  handover?: boolean;
  watch?: 'none' | 'link' | 'public';
  clock?: { minutes: number; add_seconds: number } | null;
  overlay?: OverlayPick | null;
}

export interface Unit {
  code: string;
  name: string;
  side: Side;
  nation: string;
  kind: string;
  size: string;
  figures: string;
  steps: [number, number];
  status: string[];
  movement?: string;
}

export interface Stack {
  hex: string;
  side: Side;
  units: Unit[];
  unseen: number;
}

export interface BoxView {
  id: string;
  name: string;
  side: Side | null;
  units: Unit[];
  unseen: number;
}

export interface Marker {
  hex: string;
  kind: string;
  text: string;
  side: Side | null;
}

export interface Track {
  id: string;
  name: string;
  value: string;
  number: number;
  note: string;
  side: Side | null;
}

export interface View {
  eyes: EyesOnWire;
  turn: number;
  date: string;
  phase: string;
  asks: Side | null;
  stacks: Stack[];
  boxes: BoxView[];
  markers: Marker[];
  tracks: Track[];
  weather: { zone: string; code: string; name: string }[];
  control: { hex: string; side: Side }[];
  outcome: Outcome | null;
}

/** What changed; a part that is left out did not. */
export interface Patch {
  set: Partial<View>;
  stacks: Record<string, Stack[]>;
  markers: Record<string, Marker[]>;
  boxes: Record<string, BoxView | null>;
  control: Record<string, Side | null>;
}

export interface Term {
  what: string;
  n: string;
  rule: string;
}

export interface Sum {
  name: string;
  terms: Term[];
  total: string;
}

export interface ChoiceView {
  text: string;
  verb: string;
  label: string;
  help: string;
  unit?: string;
  hex?: string;
  edge?: [string, string];
  box?: string;
  path?: string[];
  number?: number;
  note?: string;
  /** It only takes something in hand: shown as a preview, sent together with the choice that completes it. */
  held?: boolean;
  mine: boolean;
}

export interface Todo {
  what: string;
  count: number;
  hexes: string[];
}

export interface Ask {
  n: number;
  side: Side;
  key: string;
  rule: string;
  prompt: string;
  hexes: string[];
  todo: Todo[];
  choices: ChoiceView[];
  /** A long list of placements, folded: each of the units on each of the hexes, or into each of the boxes. */
  places?: { verb: string; label: string; help: string; units: string[]; hexes?: string[]; boxes?: string[] }[];
}

/** A question with every choice spelled out. */
export function unfolded(ask: Ask | null): Ask | null {
  if (!ask?.places) return ask;
  const { places, ...rest } = ask;
  const choices = [...ask.choices];
  for (const p of places) {
    const { verb, label, help } = p;
    for (const unit of p.units) {
      for (const hex of p.hexes ?? []) choices.push({ text: `${verb} ${unit} ${hex}`, verb, label, help, unit, hex, mine: true });
      for (const box of p.boxes ?? []) choices.push({ text: `${verb} ${unit} ${box}`, verb, label, help, unit, box, mine: true });
    }
  }
  return { ...rest, choices };
}

export interface Line {
  step: number;
  key: string;
  rule: string;
  text: string;
  hexes: string[];
  facts: [string, string][];
  sums: Sum[];
  luck?: { side: Side; expected: number; actual: number };
}

export interface Forecast {
  title: string;
  hex: string;
  sums: Sum[];
  odds: string;
  columns: { column: string; chance: number }[];
  results: { code: string; text: string; chance: number }[];
  attacker_loss: number;
  defender_loss: number;
  taken: number;
  /** Every end with its chance; none where the battle may not be fought. */
  ends?: End[];
  notes: string[];
}

/** How a battle may end: steps lost, whether defenders go back and live, whether none is left in the hex. */
export interface End {
  attacker: number;
  defender: number;
  retreat: boolean;
  taken: boolean;
  chance: number;
}

export interface Overlay {
  hexes: [string, string, string][];
  sides: [string, string][];
  paths: [string[], string][];
  legend: [string, string][];
}

export interface Undo {
  to: number;
  text: string;
  /** The choice only took something in hand. */
  held?: boolean;
}

export interface Chat {
  from: string;
  side: Side | null;
  to: 'all' | Side;
  text: string;
  at: number;
}

export interface Waits {
  side: Side;
  seat_names: string[];
}

export interface Refusal {
  why: string;
  rule?: string;
  sum?: Sum;
}

export interface Stats {
  tracks: { id: string; name: string; side?: Side; points: [number, number, number][] }[];
  losses: { side: Side; points: [number, number, number][] }[];
  hexes: { side: Side; points: [number, number, number][] }[];
}

export interface LuckLedger {
  sides: { side: Side; throws: number; expected: number; actual: number }[];
  lines: { step: number; side: Side; expected: number; actual: number; text: string }[];
}

type Reply = { id?: string | number };

export type FromServer = Reply &
  (
    | {
        t: 'state';
        n: number;
        step: number;
        eyes: EyesOnWire;
        match: Match;
        view: View | null;
        ask: Ask | null;
        waits: Waits | null;
        story: Line[];
        undo: Undo[];
        forecast: Forecast | null;
        since: number | null;
        chat: Chat[];
        handover: Side | null;
      }
    | {
        t: 'update';
        from: number;
        n: number;
        step: number;
        patch: Patch;
        ask: Ask | null;
        waits: Waits | null;
        story: Line[];
        undo: Undo[];
        forecast: Forecast | null;
        by: Side | null;
        since: number;
      }
    | { t: 'handover'; n: number; to: Side }
    | { t: 'accepted'; n: number; again: boolean; stopped?: Refusal }
    | { t: 'refused'; n: number; code: string; why: string; rule?: string; sum?: Sum }
    | {
        t: 'preview';
        n: number;
        ask: Ask | null;
        forecast: Forecast | null;
        patch: Patch;
        refused?: { at: number; why: string; rule: string; sum?: Sum };
      }
    | { t: 'why'; n: number; legal: boolean; why?: string; rule?: string; sum?: Sum; listed?: string }
    | { t: 'overlay'; n: number; name: string; overlay: Overlay }
    | { t: 'forecast'; n: number; forecast: Forecast | null }
    | { t: 'match'; match: Match }
    | { t: 'thinking'; seat: string; share: number; text: string; over: boolean }
    | ({ t: 'chat' } & Chat)
    | { t: 'pong' }
  );
