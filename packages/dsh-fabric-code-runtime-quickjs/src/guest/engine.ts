/**
 * QuickJS-NG in this thread: compiled once, one realm made ready once and kept as a snapshot. Each run
 * gets a fresh instance with that memory, so nothing of another run is in it and all of it is freed with it.
 */
import { readFile } from 'node:fs/promises'
import { type ExtensionDescriptor, type JSValueHandle, QuickJS, type Snapshot } from 'quickjs-wasi'
import { createDecoder } from '../crossing/decoder.ts'
import { createEncoder } from '../crossing/encoder.ts'
import { createCalls } from './realm/calls.ts'
import { createFormatter } from './realm/formatter.ts'
import { createPositions } from './realm/positions.ts'
import { createRandom } from './realm/random.ts'
import { createRealm, type Realm } from './realm/realm.ts'
import { connectSearchParams } from './realm/search-params.ts'
import { createTimers } from './realm/timers.ts'
import { limit, type MachineLimits } from './machine.ts'

/** What the realm's code calls: names are the snapshot's, behaviour each machine's own. */
export interface MachinePort {
  readonly call: (id: number, namespace: number, member: number, argument: string) => void
  readonly log: (line: string) => void
  readonly wake: (milliseconds: number) => void
  /** Asked every few thousand steps of the program: true ends it, past every `catch`. */
  readonly isHalted: () => boolean
}

export type RealmHandles = { readonly [name in keyof Realm]: JSValueHandle }

export interface Machine {
  readonly vm: QuickJS
  readonly realm: RealmHandles
}

export interface Engine {
  /** Fresh; one may have been made ready before. */
  create(limits: MachineLimits, port: MachinePort): Promise<Machine>
  /** Makes the next one while nothing runs. */
  prepare(): void
}

interface Spare {
  readonly machine: Machine
  readonly connect: (port: MachinePort) => void
}

const OWN_FILE = 'fabric'
const EXTENSIONS = ['url', 'encoding', 'structured-clone']
const PORT_NAMES = ['call', 'log', 'wake', 'isPlain', 'classOf']
const REALM_NAMES = ['begin', 'prelude', 'start', 'settle', 'tick', 'finish', 'failure'] as const

export async function openEngine(): Promise<Engine> {
  const wasm = await compile('quickjs-wasi/quickjs.wasm')
  const extensions: ExtensionDescriptor[] = await Promise.all(
    EXTENSIONS.map(async (name) => ({ name, wasm: await compile(`quickjs-wasi/${name}.so`) })),
  )
  const { snapshot, tokens } = await makeSnapshot(wasm, extensions)
  let spare: Promise<Spare> | undefined

  return {
    async create(limits, port) {
      const taken = spare ?? make()
      spare = undefined
      const { machine, connect } = await taken
      limit(machine.vm, limits)
      connect(port)
      return machine
    },
    prepare() {
      spare ??= make()
    },
  }

  async function make(): Promise<Spare> {
    let port: MachinePort | undefined
    const vm = await QuickJS.restore(snapshot, {
      wasm,
      extensions,
      interruptHandler: () => port?.isHalted() ?? false,
    })
    connectClasses(vm)
    return {
      machine: { vm, realm: mapRealm((name) => vm.importHandle(tokens[name])) },
      connect(given) {
        port = given
        connectPort(vm, given)
      },
    }
  }
}

async function compile(name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(import.meta.resolve(name))))
}

async function makeSnapshot(
  wasm: WebAssembly.Module,
  extensions: ExtensionDescriptor[],
): Promise<{ snapshot: Snapshot; tokens: { readonly [name in keyof Realm]: number } }> {
  using vm = await QuickJS.create({ wasm, extensions })
  const port = vm.newObject()
  for (const name of PORT_NAMES)
    port.setProp(
      name,
      vm.newFunction(name, () => vm.undefined),
    )
  const make = vm.evalCode(realmSource(), OWN_FILE)
  const realm = vm.callFunction(make, vm.undefined, port)
  const tokens = mapRealm((name) => vm.exportHandle(realm.getProp(name)))
  return { snapshot: vm.snapshot(), tokens }
}

/** The functions' own texts: each is self-contained, so it means the same there. */
function realmSource(): string {
  const parts = {
    createDecoder,
    createEncoder,
    createCalls,
    createFormatter,
    createPositions,
    createRandom,
    createTimers,
  }
  const texts = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`)
  return `(port) => ((${connectSearchParams.toString()})(), ${createRealm.toString()})(port, '${OWN_FILE}', {${texts.join(',\n')}})`
}

function mapRealm<Value>(map: (name: keyof Realm) => Value): {
  readonly [name in keyof Realm]: Value
} {
  const [begin, prelude, start, settle, tick, finish, failure] = REALM_NAMES
  return {
    begin: map(begin),
    prelude: map(prelude),
    start: map(start),
    settle: map(settle),
    tick: map(tick),
    finish: map(finish),
    failure: map(failure),
  }
}

function connectClasses(vm: QuickJS): void {
  const objectClass = vm.newObject().consume((made) => made.classId)
  const arrayClass = vm.newArray().consume((made) => made.classId)
  vm.registerHostCallback('isPlain', (value) => {
    const made = value?.classId
    return made === objectClass || made === arrayClass ? vm.true : vm.false
  })
  vm.registerHostCallback('classOf', (value) =>
    vm.newString(value === undefined || value.isProxy ? 'Proxy' : (value.className ?? '')),
  )
}

function connectPort(vm: QuickJS, port: MachinePort): void {
  vm.registerHostCallback('log', (line) => {
    port.log(textOf(line))
    return vm.undefined
  })
  vm.registerHostCallback('wake', (milliseconds) => {
    port.wake(milliseconds?.toNumber() ?? -1)
    return vm.undefined
  })
  vm.registerHostCallback('call', (id, namespace, member, argument) => {
    port.call(numberOf(id), numberOf(namespace), numberOf(member), textOf(argument))
    return vm.undefined
  })
}

function numberOf(handle: JSValueHandle | undefined): number {
  return handle?.toNumber() ?? 0
}

function textOf(handle: JSValueHandle | undefined): string {
  return handle?.toString() ?? ''
}
