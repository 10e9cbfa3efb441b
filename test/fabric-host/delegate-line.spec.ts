import { describe, expect, it } from 'vitest'
import { readDelegateLine } from '../../packages/dsh-fabric-host/src/delegate-line.ts'

const plain = { fork: false, report: false }

describe('the line behind /delegate', () => {
  it.each([
    [' fix the build', { prompt: 'fix the build', ...plain }],
    [' --fork go on', { prompt: 'go on', fork: true, report: false }],
    ['--report --fork  x\n y', { prompt: 'x\n y', fork: true, report: true }],
    [
      '--provider local --model m-1 --report count --all of them',
      { prompt: 'count --all of them', fork: false, report: true, provider: 'local', model: 'm-1' },
    ],
    ['--model=m-1 x', { prompt: 'x', model: 'm-1', ...plain }],
    ['-- --fork is a word', { prompt: '--fork is a word', ...plain }],
    ['修一下构建', { prompt: '修一下构建', ...plain }],
  ])('%j is read', (input, line) => {
    expect(readDelegateLine(input)).toEqual({ status: 'read', line })
  })

  it.each([
    ['', 'nothing to do'],
    ['   --fork  ', 'nothing to do'],
    ['--', 'nothing to do'],
    ['--frok go on', "unknown flag '--frok'"],
    ['--fork=yes go on', "unknown flag '--fork=yes'"],
    ['--fork --fork go on', '--fork is there twice'],
    ['--model', '--model needs a value'],
    ['--model --fork go on', '--model needs a value'],
    ['--provider local go on', '--provider needs --model'],
  ])('%j is refused, saying why', (input, reason) => {
    const read = readDelegateLine(input)

    expect(read.status === 'refused' && read.reason).toContain(reason)
  })
})
