/** Text into words: of every script, of names in code, and with meanings where languages meet. */
import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  bigrams,
  stem,
  wordsOf,
} from '../../packages/dsh-fabric-system-prompt/src/advisory/words.ts'

describe('words', () => {
  it('are split in names of code', () => {
    expect(wordsOf('parseHTTPHeader')).toEqual(['pars', 'http', 'header'])
    expect(wordsOf('web_search')).toEqual(['#web', '#search'])
    expect(wordsOf('JavaScript')).toEqual(['#javascript'])
  })

  it('are files where they are paths, whatever they are called', () => {
    const paths = [
      'src/run/search.ts',
      'notes.md',
      './bin/web',
      '/etc/hosts',
      '~/.profile',
      '读package.json的',
    ]

    for (const path of paths) expect(wordsOf(path)).toContain('#file')
    expect(paths.flatMap(wordsOf)).not.toContain('#search')
    expect(wordsOf('and/or, e.g. version 1.2.3')).not.toContain('#file')
    expect(wordsOf('https://example.org/file/search')).toEqual(['#web'])
  })

  it.each([
    ['jobs', 'job'],
    ['queries', 'query'],
    ['matches', 'match'],
    ['running', 'run'],
    ['delegated', 'delegate'],
    ['statuses', 'status'],
  ])('%s is a form of %s', (form, word) => {
    expect(stem(form)).toBe(stem(word))
  })

  it('mean the same in each language', () => {
    const same = ['search files', '搜索文件', 'ファイルを検索', '파일을 검색해']

    const meanings = same.map((text) =>
      wordsOf(text)
        .filter((word) => word.startsWith('#'))
        .toSorted(),
    )

    expect(meanings).toEqual(same.map(() => ['#file', '#search']))
  })

  it('are cut from text without spaces', () => {
    expect(wordsOf('研究那个不稳定的测试')).toEqual(['#research', '稳定', '#test'])
    expect(wordsOf('npm的包')).toContain('npm')
  })

  it('leave out what tells nothing', () => {
    expect(wordsOf('Could you please show me the 这个')).toEqual([])
  })

  it('come from any text, in time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 4_000 }), (text) => {
        expect(wordsOf(text).every((word) => word !== '')).toBe(true)
      }),
    )
    for (const part of ['a', 'a.', 'a/', './', 'aB', '程序', '가', 'http://', '-']) {
      expect(wordsOf(part.repeat(4_000 / part.length)).length).toBeLessThanOrEqual(4_000)
    }
  })
})

describe('without segmentation in the engine', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it('two signs are a word', async () => {
    vi.stubGlobal('Intl', {})
    vi.resetModules()
    const bare = await import('../../packages/dsh-fabric-system-prompt/src/advisory/words.ts')

    expect(bare.wordsOf('葡萄牙')).toEqual(['葡萄', '萄牙'])
    expect(bare.wordsOf('搜索葡萄牙')).toEqual(['#search', '葡萄', '萄牙'])
    expect(bigrams('葡')).toEqual([])
  })
})
