/** Two processes of one home: the first hosts, the second sits down beside it, and takes its place when it is gone. */
import { expect, test } from 'vitest'
import { giveEvening, giveGuest } from './evening.ts'
import { beatsOf, machine, owed, twice } from './machines.ts'

function inn() {
  const home = machine()
  giveEvening(home)
  for (const id of ['vera', 'otto', 'lena']) giveGuest(home, id)
  const sit = (...args: string[]) => {
    const tavern = home.start('play', 'evening', ...args)
    const say = (line: string) => tavern.child.stdin.write(`${line}\n`)
    return { ...tavern, say }
  }
  return { home, sit }
}

test('a second seat sees what settles, is heard, hands over turns, and leaves; the first goes on', async () => {
  const { home, sit } = inn()
  const ellis = sit('--as', 'Ellis')
  await ellis.outHolds('Come in, Ellis.')
  const noor = sit('--as', 'Noor')
  await noor.errHolds('Another process of this home hosts the scene; you sit beside it.')
  await ellis.errHolds('Noor sits down.')

  ellis.say('Who is that?')
  await noor.outHolds('Ellis: Who is that?')
  await noor.outHolds('Vera:')
  noor.say('My name is Noor.')
  await ellis.outHolds('Noor: My name is Noor.')
  noor.say('/whisper lena Keep this between us.')
  await noor.outHolds('Lena (whispers to you')
  noor.say('/leave otto')
  await ellis.outHolds('Otto leaves.')
  noor.say('/leave')
  expect(await noor.ended).toBe(0)
  ellis.say('/delegate vera Say goodbye.')
  ellis.say('/leave')
  expect(await ellis.ended).toBe(0)

  expect(ellis.out()).not.toContain('Keep this between us.')
  expect(noor.err()).not.toContain('share the seat')
  const beats = await beatsOf(home, 'evening')
  expect(twice(beats)).toEqual([])
  expect(beats.at(-1)?.author.id).toBe('character:vera')
  expect(await owed(home)).toEqual([])
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'the seat beside a host that ended by %s takes its place, and what was owed is played once',
  async (signal) => {
    const { home, sit } = inn()
    const ellis = sit('--as', 'Ellis')
    await ellis.outHolds('Come in, Ellis.')
    const noor = sit('--as', 'Noor')
    await noor.errHolds('you sit beside it')
    await ellis.errHolds('Noor sits down.')
    ellis.say('Is anyone awake?')
    await noor.outHolds('Ellis: Is anyone awake?')
    ellis.child.kill(signal)
    await ellis.ended

    await noor.errHolds(
      'The host of this scene has left. This process hosts it now; nothing is lost.',
    )
    noor.say('Still here?')
    noor.say('/delegate otto')
    noor.say('/leave')

    expect(await noor.ended).toBe(0)
    const beats = await beatsOf(home, 'evening')
    expect(twice(beats)).toEqual([])
    expect(beats.at(-1)?.author.id).toBe('character:otto')
    const answered = beats.filter(({ cause }) => cause.startsWith('line-1#'))
    expect(answered.length).toBeGreaterThan(0)
    expect(await owed(home)).toEqual([])
  },
)

test('two processes may share a seat: what one types the other sees once, and both are told', async () => {
  const { home, sit } = inn()
  const first = sit('--as', 'Ellis')
  await first.outHolds('Come in, Ellis.')
  const second = sit('--as', 'Ellis')
  await second.errHolds('You share the seat of Ellis; --as <name> takes one of your own.')
  first.say('From the first.')
  second.say('From the second.')
  await second.outHolds('Ellis: From the first.')
  await first.outHolds('Ellis: From the second.')
  second.say('/leave')
  first.say('/leave')
  await Promise.all([first.ended, second.ended])

  const lines = (await beatsOf(home, 'evening')).filter(({ author }) => author.id === 'seat:Ellis')
  expect(lines.map(({ text }) => text).toSorted()).toEqual(['From the first.', 'From the second.'])
})

test('who left and comes again is told of neither as a stranger’s seat, and the others hear of both', async () => {
  const { sit } = inn()
  const ellis = sit('--as', 'Ellis')
  await ellis.outHolds('Come in, Ellis.')
  const first = sit('--as', 'Ben')
  await first.errHolds('you sit beside it')
  first.say('/leave')
  expect(await first.ended).toBe(0)
  await ellis.errHolds('Ben has left the table.')

  const again = sit('--as', 'Ben')
  await again.errHolds('you sit beside it')
  again.say('/leave')
  expect(await again.ended).toBe(0)

  expect(again.err()).not.toContain('share the seat')
  expect(ellis.err().match(/Ben sits down\./g)).toHaveLength(2)
})

test('a scene that a living process hosts is not begun again', async () => {
  const { home, sit } = inn()
  const ellis = sit('--as', 'Ellis')
  await ellis.outHolds('Come in, Ellis.')

  const { code, err } = await home.run('play', 'evening', '--new')

  expect(code).toBe(3)
  expect(err).toContain('Leave it there first')
})
