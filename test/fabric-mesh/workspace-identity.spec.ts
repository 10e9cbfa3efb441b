/** Which sessions share a workspace. */
import { createHash } from 'node:crypto'
import { type WorkspaceQuestion, workspaceIdentity } from 'dsh-fabric-mesh'
import { expect, it } from 'vitest'

const links: Readonly<Record<string, string>> = { '/link': '/srv/inn', '/also': '/srv/mill' }
const question: WorkspaceQuestion = {
  sessionId: 'session-1',
  cwd: undefined,
  workspaces: [
    { id: 'w-mill', path: '/srv/mill', sessionIds: [] },
    { id: 'w-listed', path: '/srv/listed', sessionIds: ['session-1', 'session-2'] },
  ],
  realpath: (path) => {
    if (path.startsWith('/gone')) throw new Error(`ENOENT: ${path}`)
    return links[path] ?? path
  },
}

it('a session belongs to the workspace that lists it, wherever it runs', () => {
  expect(workspaceIdentity({ ...question, cwd: '/srv/mill' })).toBe('workspace:w-listed')
  expect(workspaceIdentity({ ...question, cwd: '/gone' })).toBe('workspace:w-listed')
})

it('an unlisted session belongs to the workspace of its directory, also through a link', () => {
  const unlisted = { ...question, sessionId: 'session-9' }

  expect(workspaceIdentity({ ...unlisted, cwd: '/srv/mill' })).toBe('workspace:w-mill')
  expect(workspaceIdentity({ ...unlisted, cwd: '/also' })).toBe('workspace:w-mill')
})

it('sessions of one unregistered directory share it, however it is spelled', () => {
  const hash = createHash('sha256').update('/srv/inn').digest('hex')

  for (const [sessionId, cwd] of [
    ['session-8', '/srv/inn'],
    ['session-9', '/link'],
  ]) {
    expect(workspaceIdentity({ ...question, sessionId: sessionId ?? '', cwd })).toBe(`path:${hash}`)
  }
})

it('a session without a directory, or with one that is gone, is alone', () => {
  for (const cwd of [undefined, '/gone/inn']) {
    expect(workspaceIdentity({ ...question, sessionId: 'session-9', cwd })).toBe(
      'session:session-9',
    )
  }
})
