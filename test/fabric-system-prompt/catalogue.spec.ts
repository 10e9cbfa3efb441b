/** The index of a catalogue: rare words above common ones, two words at least, and made once. */
import { describe, expect, it } from 'vitest'
import {
  Advisor,
  CATALOGUES_KEPT,
} from '../../packages/dsh-fabric-system-prompt/src/advisory/advisor.ts'
import { Catalogue } from '../../packages/dsh-fabric-system-prompt/src/advisory/catalogue.ts'
import type { ToolRecord } from '../../packages/dsh-fabric-system-prompt/src/tool-record.ts'

function tool(name: string, description: string): ToolRecord {
  return { name, description, parameters: {}, output: { type: 'string' } }
}

const kitchen = [
  tool('stove', 'Heat a pot.'),
  tool('oven', 'Heat a dish.'),
  tool('kettle', 'Heat a pot of water.'),
  tool('mincer', 'Heat a dish of saffron.'),
  ...['one', 'two', 'three', 'four'].map((name) => tool(`${name}_burner`, 'Heat a pot or dish.')),
]

describe('the score', () => {
  it('is higher by a rare word than by common ones', () => {
    const catalogue = new Catalogue(kitchen)

    const [first] = catalogue.matches('heat the dish with saffron')
    const common = catalogue.matches('heat the dish with oil')

    expect(first).toMatchObject({ tool: 'mincer', words: ['saffron', 'dish', 'heat'] })
    expect(common[0]?.score).toBeLessThan((first?.score ?? 0) / 2)
  })

  it('needs two words, in one sentence', () => {
    const catalogue = new Catalogue(kitchen)

    expect(catalogue.matches('saffron')).toEqual([])
    expect(catalogue.matches('Saffron. And a kettle!').map((match) => match.tool)).toEqual([])
    expect(catalogue.matches('saffron in a dish')[0]?.tool).toBe('mincer')
  })

  it('is lower the more the text speaks of other things', () => {
    const catalogue = new Catalogue(kitchen)
    const score = (text: string) => catalogue.matches(text)[0]?.score ?? 0

    expect(score('saffron dish')).toBeGreaterThan(
      score('a saffron dish reminds my uncle of Persian gardens'),
    )
  })

  it('is lower where the answer is words', () => {
    const catalogue = new Catalogue(kitchen)
    const score = (text: string) => catalogue.matches(text)[0]?.score ?? 0

    expect(score('how do I heat a saffron dish')).toBeLessThan(score('heat a saffron dish') / 2)
  })

  it('does not come from code in a description', () => {
    const catalogue = new Catalogue([...kitchen, tool('scale', 'Weighs. Ends in `marble statue`.')])

    expect(catalogue.matches('a marble statue')).toEqual([])
  })
})

describe('indexes', () => {
  it('are shared by all who see the same tools, and made anew for others', () => {
    const advisor = new Advisor()
    const index = advisor.catalogueOf(kitchen)

    const same = advisor.catalogueOf(structuredClone(kitchen))
    const other = advisor.catalogueOf(kitchen.slice(1))

    expect(same).toBe(index)
    expect(other).not.toBe(index)
  })

  it('are bounded; the ones used last stay', () => {
    const advisor = new Advisor()
    const index = advisor.catalogueOf(kitchen)

    for (let n = 0; n < 3 * CATALOGUES_KEPT; n += 1) {
      advisor.catalogueOf([tool(`tool_${n}`, 'Works.')])
      expect(advisor.catalogueOf(kitchen)).toBe(index)
    }

    expect(advisor.cataloguesKept).toBe(CATALOGUES_KEPT)
  })
})
