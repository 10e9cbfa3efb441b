import { SceneError } from 'dsh-tavern-scene'
import { describe, expect, test } from 'vitest'
import { turnOptions } from '../../packages/dsh-tavern-scene/src/turn-options.ts'

describe('options of a turn', () => {
  test.each([
    ['--provider p --model m be brief', { provider: 'p', model: 'm' }, 'be brief'],
    ['be brief --model m', { model: 'm' }, 'be brief'],
    ['be --provider p brief --model m', { provider: 'p', model: 'm' }, 'be brief'],
    ['be --model=m brief', { model: 'm' }, 'be brief'],
    ['--model m --model n', { model: 'n' }, ''],
    ['--model org/model:7b-q4', { model: 'org/model:7b-q4' }, ''],
    ['--model m -- --not an option', { model: 'm' }, '--not an option'],
    ['', {}, ''],
  ])('%j', (text, route, instruction) => {
    expect(turnOptions(text)).toEqual({ route, instruction })
  })

  test('without any the direction stays as it was typed', () => {
    expect(turnOptions('  say it\n  slowly - very-slowly ').instruction).toBe(
      'say it\n  slowly - very-slowly',
    )
  })

  test('a route is an ordinary record of what was given', () => {
    const { route } = turnOptions('--model m')

    expect(Object.entries(route)).toEqual([['model', 'm']])
    expect(Object.getPrototypeOf(route)).toBe(Object.prototype)
  })

  test.each([
    ['--model', /--model.*argument missing/],
    ['--provider --model m', /--provider/],
    ['--provider p be brief', /--provider needs --model/],
    ['--models m', /Unknown option '--models'/],
    ['--__proto__ x', /Unknown option/],
    ['--model m -x', /Unknown option '-x'/],
  ])('%j is refused, naming it', (text, message) => {
    const found = (): SceneError | undefined => {
      try {
        turnOptions(text)
      } catch (error) {
        return error instanceof SceneError ? error : undefined
      }
      return undefined
    }

    expect(found()?.code).toBe('invalid-line')
    expect(found()?.message).toMatch(message)
  })
})
