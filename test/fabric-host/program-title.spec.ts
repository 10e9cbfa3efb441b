import { programTitle } from 'dsh-fabric-host'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('the title of a program', () => {
  it.each([
    ['// Count TODO markers across packages.\nreturn 1', 'Count TODO markers across packages'],
    ['/* Rename the config key\n * everywhere */ return 1', 'Rename the config key'],
    ['/**\n * Read the test that fails\n */\nreturn 1', 'Read the test that fails'],
    ['// 统计所有角色卡的字数。\nreturn 1', '统计所有角色卡的字数'],
  ])('is its leading comment: %j', (program, title) => {
    expect(programTitle(program)).toBe(title)
  })

  it.each([
    [
      "const a = await tools.read({ file_path: 'src/a.ts' })\nawait tools.grep({ pattern: 'TODO' })",
      'Read src/a.ts and grep TODO',
    ],
    ["return await tools.bash({ command: 'npm test' })", 'Run npm test'],
    [
      "for (const f of files) await tools.read({ file_path: f })\nawait tools['write']({ file_path: `out.md`, content: text })",
      'Read files and write out.md',
    ],
    [
      "await Promise.all([tools.read({ file_path: 'a' }), tools.read({ file_path: 'b' })])",
      'Read a, b',
    ],
    ['await tools.job_output({ job: id })', 'Use job output'],
    ["await tools.fabric_mesh({ action: 'create_topic', id: 'news' })", 'Fabric mesh create_topic'],
    ["await tools.describe('bash')", 'Look up bash'],
    ["// @ts-nocheck\nawait tools.glob({ pattern: '*.ts' })", 'List *.ts'],
  ])('else says what it calls: %j', (program, title) => {
    expect(programTitle(program)).toBe(title)
  })

  it.each([
    'const text = \'tools.read({ file_path: "secret" })\'\nreturn text',
    'return my.tools.read({})',
    'return tools.length',
    '',
    'return 1 + 1 // adds',
  ])('calls nothing that only looks like a call: %j', (program) => {
    expect(programTitle(program)).toBe('Run a program')
  })

  it('does not take the value of a nested object for that of the call', () => {
    const program = "await tools.write({ options: { path: 'inner' }, file_path: 'outer' })"

    expect(programTitle(program)).toBe('Write outer')
  })

  it('has at most ten words, and says that there is more', () => {
    const calls = Array.from(
      { length: 30 },
      (_, n) => `await tools.read({ file_path: 'f${n}.ts' })`,
    )

    const title = programTitle(calls.join('\n'))

    expect(title.split(' ')).toHaveLength(10)
    expect(title).toMatch(/…$/)
  })

  it('is one bounded line for any text, the same each time', () => {
    const odd = fc.stringMatching(/^[`'"/*\\${}()tools.read[\]:, \n人]{0,200}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), odd), (program) => {
        const title = programTitle(program)

        expect(title).toBe(programTitle(program))
        expect(title).not.toBe('')
        expect(title.length).toBeLessThanOrEqual(80)
        expect(title).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['stars', `/*${'*'.repeat(2_000_000)}`],
    ['quotes', "'".repeat(2_000_000)],
    ['braces', `await tools.read(${'{'.repeat(2_000_000)}`],
    ['calls', 'tools.read('.repeat(200_000)],
    ['open calls', 'tools.read({'.repeat(200_000)],
    ['spaces', `//${' '.repeat(2_000_000)}x`],
    ['escapes', `"${'\\'.repeat(2_000_000)}`],
  ])('is found in the first part of a hostile program: %s', (_name, program) => {
    expect(programTitle(program).length).toBeLessThanOrEqual(80)
  })
})
