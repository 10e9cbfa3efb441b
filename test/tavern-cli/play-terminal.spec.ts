/** A seat at a terminal, its streams given: what happens when the store fails, and when a person leaves at once. */
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { playTerminal } from '../../packages/dsh-tavern-cli/src/play-terminal.ts'
import { openStage, say, transcriptOf, trio } from '../scenes/stage.ts'

function terminal() {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  return { stdin, stdout }
}

test('a store that fails ends the sitting with its error', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const { stdin, stdout } = terminal()
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, { stdin, stdout })
  const store = new DatabaseSync(join(stage.home, 'tavern', 'mesh.sqlite'), { timeout: 5000 })
  store.exec('DROP TABLE desk')
  store.close()

  stdin.write('Good evening.\n')

  await expect(playing).rejects.toMatchObject({ name: 'MeshError', code: 'store-invalid' })
})

test('a line that cannot be said is told, and the sitting goes on', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const { stdin, stdout } = terminal()
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, { stdin, stdout })

  stdin.write('/whisper nobody Psst.\n/whisper cy Psst.\n/leave\n')

  expect(await playing).toBe(0)
  const shown = String(stdout.read())
  expect(shown).toContain("no character 'nobody'")
  expect(shown).toContain("'cy' is not on stage")
})

test('who leaves is not kept by lines that wait, and they are not said', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  stage.model.script(() => ({ hang: 'I was about to' }))
  const { stdin, stdout } = terminal()
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, { stdin, stdout })
  const begun = new Promise<void>((resolve) => stage.ctx.once('performance/delta', () => resolve()))
  stdin.write('One.\nTwo.\n')
  await begun

  stdin.end()

  expect(await playing).toBe(0)
  const said = await transcriptOf(scene)
  expect(said).toContain('Ellis: One.')
  expect(said).not.toContain('Ellis: Two.')
})

test('names and failures bring no escapes to the screen', async () => {
  const stage = await openStage({
    ...trio,
    characters: { ...trio.characters, ann: { name: 'Ann\u001b[2J' } },
  })
  const scene = await stage.open('room')
  await say(scene, 'Hello.')
  const { stdin, stdout } = terminal()
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, { stdin, stdout })

  stdin.write('/cast\n/leave\n')

  expect(await playing).toBe(0)
  const shown = String(stdout.read())
  expect(shown).toContain('Ann')
  expect(shown).not.toContain('\u001b[2J')
})
