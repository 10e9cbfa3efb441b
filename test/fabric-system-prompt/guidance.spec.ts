/** Our own words: as they are, bounded, and of no tool that is not there. */
import { describe, expect, it } from 'vitest'
import * as guidance from '../../packages/dsh-fabric-system-prompt/src/guidance.ts'

const every = guidance.workingGuidance(() => true)

describe('what the model is told', () => {
  it.each([
    ['working guidance', every, 2_800],
    ['memory guidance', guidance.memoryGuidance, 900],
    ['program guidance', guidance.programGuidance, 1_200],
    ['roster guidance', guidance.rosterGuidance, 250],
    ['advisory guidance', guidance.advisoryGuidance, 150],
  ])('%s', (_, text, limit) => {
    expect(text).toMatchSnapshot()
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
  })

  it('speaks of mesh, programs, files and the rest only where they are', () => {
    const bare = guidance.workingGuidance(() => false)
    const forked = guidance.workingGuidance((tool) => tool === 'subagent_fork')

    expect(bare).not.toMatch(/Coordination|Programs|Files|Background|Delegation|Web|mesh/)
    expect(bare).toMatch(/Compaction[^]*Memory and recall[^]*Discipline/)
    expect(forked).toContain('Delegation')
  })

  it('is no template', () => {
    expect(
      Object.values(guidance)
        .filter((text) => typeof text === 'string')
        .join(),
    ).not.toContain('{{')
  })
})
