/** A rule's helpers, as the JavaScript that runs before it in its own realm: no host is asked while it runs. */
import { limits } from './limits.ts'

/** All that a rule sees, taken before it runs. */
export interface RuleFacts {
  readonly scene: object
  readonly cause: object
  readonly world: readonly FactEntry[]
  readonly variables: readonly FactEntry[]
  readonly seed: readonly [number, number, number]
}

export interface FactEntry {
  readonly key: string
  readonly value: unknown
  readonly version: number
  /** As the scene declares it; absent for what came in play. */
  readonly kind?: string
}

export function preludeSource(facts: RuleFacts): string {
  // a text inside a text: no key of the world becomes a property name of the program
  const json = JSON.stringify(JSON.stringify({ ...facts, limits }))
  return `const facts = JSON.parse(${json});\n${PRELUDE}`
}

const PRELUDE = `'use strict';
const { limits } = facts;
const encode = JSON.stringify, decode = JSON.parse, floor = Math.floor, imul = Math.imul;
const fail = (text) => { throw new Error(text) };
const frozen = (value) => {
  if (typeof value !== 'object' || value === null) return value;
  for (const key of Object.keys(value)) frozen(value[key]);
  return Object.freeze(value);
};
const kindOf = (value) => value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

let [a, b, c] = facts.seed;
let counter = 1;
const word = () => {
  const sum = (a + b + counter) | 0;
  counter = (counter + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (((c << 21) | (c >>> 11)) + sum) | 0;
  return sum >>> 0;
};
for (let round = 0; round < 12; round += 1) word();
const random = () => word() / 4294967296;
Math.random = random;
const noClock = () => fail('a rule has no clock: the time of a scene is in its world');
globalThis.Date = new Proxy(function Date() {}, { apply: noClock, construct: noClock, get: noClock });

let changed = 0;
const box = (entries, what) => {
  const there = new Map(entries.map((entry) => [entry.key, { ...entry, now: entry.value }]));
  const declared = (key) => there.get(key)?.kind ?? fail(what + " has no '" + key + "' in scene.yml");
  const check = (key, value, verb) => {
    const kind = declared(key);
    if (kind !== 'json' && kindOf(value) !== kind) {
      fail(what + " '" + key + "' " + verb + ' a ' + kindOf(value) + ', not a ' + kind);
    }
  };
  return {
    get(key) {
      declared(key);
      const { now } = there.get(key);
      if (now === undefined) fail(what + " has no '" + key + "' now");
      check(key, now, 'is now');
      return frozen(now);
    },
    set(key, value) {
      check(key, value, 'was to become');
      const json = encode(value);
      if (json === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
        fail(what + " '" + key + "' can only be JSON");
      }
      if (json.length > limits.value) fail(what + " '" + key + "' may have " + limits.value + ' characters');
      there.get(key).now = decode(json);
    },
    find: (key) => frozen(there.get(key)?.now),
    has: (key) => there.get(key)?.now !== undefined,
    keys: () => Object.freeze([...there.values()].filter(({ now }) => now !== undefined).map(({ key }) => key)),
    changes: () => [...there.values()]
      .filter(({ value, now }) => encode(value) !== encode(now))
      .map(({ key, version, now }) => ({ key, value: now, expectedVersion: version })),
  };
};
const boxes = { world: box(facts.world, 'world'), variables: box(facts.variables, 'variables') };

const rolls = [], tells = [], narrated = [];
const DICE = /^(\\d{0,3})d(\\d{1,5})(?:([+-])(\\d{1,6}))?$/;
const roll = (dice, { label = '', hidden = false } = {}) => {
  const [, count = '', sides = '', sign = '+', plus = '0'] = DICE.exec(String(dice)) ?? fail("no dice: '" + dice + "'");
  const many = count === '' ? 1 : Number(count);
  const most = Number(sides);
  if (many < 1 || many > limits.dice || most < 1) fail("no dice: '" + dice + "' (at most " + limits.dice + ')');
  if (rolls.length === limits.rolls) fail('a rule may roll ' + limits.rolls + ' times');
  const faces = Array.from({ length: many }, () => 1 + floor(random() * most));
  const total = faces.reduce((sum, face) => sum + face, sign === '-' ? -Number(plus) : Number(plus));
  rolls.push({ dice: String(dice), faces, total, label: String(label).slice(0, limits.label), hidden: hidden === true });
  return total;
};
const words = (text, what) => {
  if (typeof text !== 'string' || text.trim() === '') fail(what + ' takes a text that is not empty');
  if (text.length > limits.text) fail(what + ' takes ' + limits.text + ' characters');
  return text.trim();
};
const narrate = (text) => {
  if (narrated.length === limits.passages) fail('a rule may narrate ' + limits.passages + ' passages');
  narrated.push(words(text, 'narrate'));
};
const tell = (to, text) => {
  if (tells.length === limits.tells) fail('a rule may tell ' + limits.tells + ' times');
  if (to !== 'seats' && !facts.scene.cast.some(({ id }) => id === to)) fail("nobody to tell: '" + to + "'");
  tells.push({ to, text: words(text, 'tell') });
};
const { get, set, find, has, keys } = boxes.world;
return {
  globals: {
    world: Object.freeze({ get, set, find, has, keys }),
    variables: Object.freeze({ get: boxes.variables.get, set: boxes.variables.set }),
    roll, narrate, tell, scene: frozen(facts.scene), cause: frozen(facts.cause),
  },
  complete: (returned) => ({
    changes: [...boxes.world.changes(), ...boxes.variables.changes()],
    rolls, tells, narration: narrated.join('\\n'),
    returned: returned !== undefined,
  }),
};
`
