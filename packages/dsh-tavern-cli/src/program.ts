/** The commands of `tavern`, their options and their help. */
import { resolve } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { resolveDshHome } from '@deepseek-ai/dsh-home-paths'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { maxIdLength } from 'dsh-tavern-cards'
import { characterId } from 'dsh-tavern-protocol'
import { backUp } from './backup.ts'
import { boot, homePaths } from './boot.ts'
import { castHost } from './cast-host.ts'
import { tellOfMesh } from './company-notes.ts'
import { exportCard, importCard } from './card-files.ts'
import { doctor } from './doctor.ts'
import { exitCodes, failureOf, UsageError } from './exit.ts'
import { mailboxesText, releaseText } from './mailboxes.ts'
import { type MeshAddress, meshAddress } from './mesh-address.ts'
import { moveRole } from './move.ts'
import { play, type PlayOptions } from './play.ts'
import { json as jsonText, printable } from './printable.ts'
import { castText, scenesText, transcriptText, worldText } from './reading.ts'
import { hostVersion, tavernVersion } from './versions.ts'

const DEFAULT_SCENE = 'ember-night'

/** Runs one command line; the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.done
  const done = (result: number) => {
    code = result
  }
  const program = tavern(done)
  try {
    await program.parseAsync([...argv])
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.badInput
    const failure = failureOf(error)
    process.stderr.write(`tavern: ${printable(failure.text)}\n`)
    return failure.code
  }
}

function tavern(done: (code: number) => void): Command {
  const program = new Command('tavern')
    .description('A tavern of AI characters on DeepSeek Harness.')
    .version(`tavern ${tavernVersion()} on DeepSeek Harness ${hostVersion()}`)
    .exitOverride()
    .showHelpAfterError('(tavern --help shows all commands)')
  program.addCommand(playCommand(done))
  program.addCommand(castHostCommand(done))
  program.addCommand(moveCommand())
  program.addCommand(
    reading('scenes', 'list the scenes').action(async ({ home, json }: Reading) => {
      await print(home, (ctx) => scenesText(ctx, { json, broken: () => done(exitCodes.badInput) }))
    }),
  )
  program.addCommand(
    meshed(reading('cast', "list a scene's cast, and who hosts whom"))
      .argument('[scene]', 'scene id', DEFAULT_SCENE)
      .action(async (scene: string, { home, json, mesh }: Reading & Meshed) => {
        await print(home, (ctx) => castText(ctx, scene, json), mesh)
      }),
  )
  program.addCommand(
    meshed(homed('transcript', "print a scene's beats"))
      .argument('[scene]', 'scene id', DEFAULT_SCENE)
      .addOption(new Option('--format <format>', 'how').choices(['md', 'jsonl']).default('md'))
      .action(async (scene: string, { home, format, mesh }: Transcribing) => {
        await print(home, (ctx) => transcriptText(ctx, scene, format), mesh)
      }),
  )
  program.addCommand(
    meshed(reading('world', "print a scene's world"))
      .argument('[scene]', 'scene id', DEFAULT_SCENE)
      .action(async (scene: string, { home, json, mesh }: Reading & Meshed) => {
        await print(home, (ctx) => worldText(ctx, scene, json), mesh)
      }),
  )
  program.addCommand(
    meshed(
      reading('mailboxes', 'list what is owed: queued, claimed by whom and since when, dead'),
    ).action(async ({ home, json, mesh }: Reading & Meshed) => {
      await print(home, (ctx) => mailboxesText(ctx, json), mesh)
    }),
  )
  program.addCommand(releaseCommand())
  program.addCommand(importCommand(done))
  program.addCommand(exportCommand())
  program.addCommand(doctorCommand(done))
  program.addCommand(backupCommand())
  for (const command of program.commands) command.exitOverride()
  return program
}

function playCommand(done: (code: number) => void): Command {
  return hosting(meshed(homed('play', 'play a scene')))
    .argument('[scene]', 'scene id', DEFAULT_SCENE)
    .option('--new', 'begin the scene again')
    .option('--resume', 'go on with a scene that was played before; fails if none was')
    .option('--beats <n>', 'stop once the scene holds so many beats in all', whole(1))
    .option('--auto', 'play on without a line, up to the scene’s cap')
    .option('--seed <n>', 'seed of a scene that begins', whole(0))
    .option(
      '--as <name>',
      'the name you go by; another name is another seat, which has heard nothing yet',
      filled,
    )
    .option('--provider <provider>', 'model provider for everybody')
    .option('--model <model>', 'model for everybody')
    .option('--json', 'one beat a line on standard output')
    .option('--all', 'see whispers between others too, and secret changes of the world with --json')
    .option('--trace <file>', 'append every model request, one JSON object a line', filled)
    .option('--pace <ms>', 'pause between words of improv at a terminal', whole(0), 12)
    .action(async (scene: string, options: PlayFlags) => {
      done(await play(playOptions(scene, options)))
    })
}

function castHostCommand(done: (code: number) => void): Command {
  return hosting(
    meshed(reading('cast-host', 'host characters of a scene on this machine, until stopped')),
  )
    .addHelpText(
      'after',
      '\nWith neither --characters nor --narrator it waits until a seat moves a role to it (/move).',
    )
    .option('--scene <id>', 'scene id', DEFAULT_SCENE)
    .option('--characters <ids>', 'the characters to host, with commas between', characterList, [])
    .option('--narrator', 'host the narrator', false)
    .option('--provider <provider>', 'model provider for everybody here')
    .option('--model <model>', 'model for everybody here')
    .option('--trace <file>', 'append every model request, one JSON object a line', filled)
    .option('--pace <ms>', 'pause between words of improv', whole(0), 0)
    .action(async ({ mesh, lease, ...flags }: CastHostFlags) => {
      requireRoute(flags)
      if (mesh === undefined) throw new UsageError('cast-host needs --mesh, or TAVERN_MESH')
      done(await castHost({ ...flags, mesh, ...(lease ? { leaseMs: lease * 1000 } : {}) }))
    })
}

function moveCommand(): Command {
  return meshed(homed('move', 'give a character, or the narrator, to another host'))
    .option('--scene <id>', 'scene id', DEFAULT_SCENE)
    .argument('<role>', 'character id, or narrator')
    .argument('<host>', 'name or id of the host')
    .action(async (role: string, host: string, flags: Homed & Meshed & { scene: string }) => {
      const { home, mesh, scene } = flags
      if (mesh === undefined) throw new UsageError('move needs --mesh, or TAVERN_MESH')
      const ctx = await look(home, mesh)
      try {
        write(printable(await moveRole(ctx, { scene, role, host })))
      } finally {
        await ctx.fiber.dispose()
      }
    })
}

interface Homed {
  readonly home: string
}
interface Meshed {
  readonly mesh?: MeshAddress
}
interface Hosting extends Meshed {
  readonly name?: string
  /** Seconds. */
  readonly lease?: number
}
interface Transcribing extends Homed, Meshed {
  readonly format: 'md' | 'jsonl'
}
interface Releasing extends Reading, Meshed {
  readonly reason: string
}
interface CastHostFlags extends Reading, Hosting {
  readonly scene: string
  readonly characters: readonly string[]
  readonly narrator: boolean
  readonly provider?: string
  readonly model?: string
  readonly trace?: string
  readonly pace: number
}
interface Reading extends Homed {
  readonly json: boolean
}
interface PlayFlags extends Homed, Hosting {
  readonly new?: true
  readonly resume?: true
  readonly beats?: number
  readonly auto?: true
  readonly seed?: number
  readonly as?: string
  readonly provider?: string
  readonly model?: string
  readonly json?: true
  readonly all?: true
  readonly trace?: string
  readonly pace: number
}

function playOptions(scene: string, flags: PlayFlags): PlayOptions {
  const { new: isNew, resume, auto, json, all, lease, ...given } = flags
  requireRoute(given)
  if (isNew && resume) throw new UsageError('--new and --resume exclude each other')
  return {
    ...given,
    scene,
    ...(lease ? { leaseMs: lease * 1000 } : {}),
    ...(isNew ? { start: 'new' as const } : resume ? { start: 'resume' as const } : {}),
    auto: auto ?? false,
    json: json ?? false,
    all: all ?? false,
  }
}

function requireRoute({ provider, model }: { provider?: string; model?: string }): void {
  if (provider === undefined || model !== undefined) return
  throw new UsageError('--provider needs --model: another provider has other models')
}

function importCommand(done: (code: number) => void): Command {
  return reading('import', 'make characters of cards (V1, V2, V3; JSON or PNG)')
    .argument('<file...>', 'card files')
    .option('--as <id>', 'the id to use, for one file', presetId)
    .option('--replace', 'overwrite the character of that id')
    .action(async (files: string[], options: Reading & { as?: string; replace?: true }) => {
      const { home, json, as, replace } = options
      if (as !== undefined && files.length > 1) throw new UsageError('--as goes with one file')
      const codes = new Set<number>()
      for (const file of files) {
        try {
          const imported = await importCard(file, {
            home,
            replace: replace ?? false,
            ...(as ? { as } : {}),
          })
          for (const warning of imported.warnings)
            process.stderr.write(`warning: ${printable(warning)}\n`)
          write(
            json
              ? jsonText(imported)
              : printable(`${imported.id}: ${imported.name} (${imported.version}) from ${file}`),
          )
        } catch (error) {
          const failure = failureOf(error)
          codes.add(failure.code)
          process.stderr.write(`tavern: ${printable(failure.text)}\n`)
        }
      }
      // a file that could not be written is worse than one that is no card
      const worst = [exitCodes.failed, exitCodes.badInput].find((code) => codes.has(code))
      done(worst ?? exitCodes.done)
    })
}

function exportCommand(): Command {
  return homed('export', 'write a character as a card')
    .argument('<character>', 'character id')
    .addOption(new Option('--png', 'a PNG with both chunks (default)').conflicts('cardJson'))
    .addOption(new Option('--json', 'the card as JSON').conflicts('png'))
    .option('--out <path>', 'the file to write, or the folder to put it in', filled)
    .action(
      async (character: string, { home, json, out }: Homed & { json?: true; out?: string }) => {
        const format = json ? 'json' : 'png'
        write(await exportCard(character, { home, format, ...(out ? { out } : {}) }))
      },
    )
}

function doctorCommand(done: (code: number) => void): Command {
  return meshed(reading('doctor', 'check versions, the home, keys and the store')).action(
    async ({ home, json, mesh }: Reading & Meshed) => {
      const checks = await doctor(home, mesh)
      for (const check of checks) {
        write(
          json
            ? jsonText(check)
            : printable(`${check.ok ? 'ok  ' : 'FAIL'} ${check.name}: ${check.found}`),
        )
      }
      done(checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed)
    },
  )
}

function releaseCommand(): Command {
  return meshed(
    reading('release', 'take back a claim whose worker is gone; its token is void from then on'),
  )
    .argument('<mailbox>', 'as `tavern mailboxes` prints it', filled)
    .argument('<message>', 'the id of the message', filled)
    .requiredOption('--reason <text>', 'kept with the message', filled)
    .action(async (mailbox: string, message: string, options: Releasing) => {
      const { home, json, mesh, reason } = options
      await print(home, (ctx) => releaseText(ctx, { mailbox, message, reason }, json), mesh)
    })
}

function backupCommand(): Command {
  return meshed(reading('backup', 'copy the store to one file, while it is played or not'))
    .argument('<file>', 'the file to write; it must not be there', filled)
    .action((file: string, { home, json, mesh }: Reading & Meshed) => {
      const made = backUp(file, mesh ?? { kind: 'sqlite', path: homePaths(home).mesh })
      write(json ? jsonText(made) : printable(`${made.file}: ${made.bytes} bytes of ${made.store}`))
    })
}

function homed(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option('--home <dir>', 'the DSH home')
        .default(resolveDshHome(), 'DSH_HOME, or ~/.dsh')
        .argParser((dir) => resolve(filled(dir))),
    )
}

/** A mesh that several homes share. */
function meshed(command: Command): Command {
  return command.addOption(
    new Option(
      '--mesh <address>',
      'play on a mesh that others share: nats://host:4222 or sqlite:<path>',
    )
      .env('TAVERN_MESH')
      .argParser(meshAddress),
  )
}

/** Of who hosts on such a mesh. */
function hosting(command: Command): Command {
  return command
    .option('--name <name>', "this host's name for the others; the machine's when absent", filled)
    .option('--lease <seconds>', 'away for the others after so long without a sign', positive)
}

function reading(name: string, description: string): Command {
  return homed(name, description).option('--json', 'one JSON object a line', false)
}

function characterList(text: string): readonly string[] {
  return text.split(',').map((id) => presetId(id.trim()))
}

function positive(text: string): number {
  const value = Number(text)
  if (value >= 0.3 && value <= 3600) return value
  throw new InvalidArgumentError(`seconds from 0.3 to 3600, found '${text}'`)
}

function filled(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

function presetId(text: string): string {
  if (characterId.safeParse(text).success && text.length <= maxIdLength) return text
  throw new InvalidArgumentError(
    `An id is lower-case letters, digits and dashes, at most ${maxIdLength} characters.`,
  )
}

function whole(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`a whole number from ${least}, found '${text}'`)
    }
    return value
  }
}

/** Boots the host for a look; nothing is played. */
async function print(
  home: string,
  lines: (ctx: Context) => AsyncIterable<string>,
  mesh?: MeshAddress,
): Promise<void> {
  const ctx = await look(home, mesh)
  try {
    for await (const line of lines(ctx)) write(line)
  } finally {
    await ctx.fiber.dispose()
  }
}

/** A host that plays nothing; a mesh that is away is said to be. */
async function look(home: string, mesh: MeshAddress | undefined): Promise<Context> {
  const ctx = await boot({ home, ...(mesh ? { mesh } : {}) })
  tellOfMesh(ctx, (text) => process.stderr.write(`${printable(text)}\n`))
  return ctx
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}
