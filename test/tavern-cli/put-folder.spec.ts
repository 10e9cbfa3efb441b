import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { putFolder } from '../../packages/dsh-tavern-cli/src/put-folder.ts'
import { newHome } from './tavern.ts'

function folder(path: string, content: string): string {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'card.json'), content)
  return path
}

test('what stood there is replaced', async () => {
  const root = newHome()
  const to = folder(join(root, 'mara'), 'old')

  await putFolder(folder(join(root, 'staged'), 'new'), to)

  expect(readFileSync(join(to, 'card.json'), 'utf8')).toBe('new')
  expect(readdirSync(root)).toEqual(['mara'])
})

test('what stood there stays when the new one cannot be put there', async () => {
  const root = newHome()
  const to = folder(join(root, 'mara'), 'old')

  const putting = putFolder(join(root, 'no-such-folder'), to)

  await expect(putting).rejects.toThrow('ENOENT')
  expect(readFileSync(join(to, 'card.json'), 'utf8')).toBe('old')
  expect(readdirSync(root)).toEqual(['mara'])
})
