/** Reading cards from PNG files: every carrier, and every kind of damage. */
import { constants, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { maxInflatedBytes, maxPngChunks, readCard } from 'dsh-tavern-cards'
import {
  base64,
  bytesOf,
  chunk,
  type Chunk,
  end,
  header,
  iTXt,
  picture,
  png,
  pngWith,
  signature,
  tEXt,
  zTXt,
} from './png.ts'
import { cardErrorOf, v1, v2, v3 } from './sample.ts'

const read = (bytes: Uint8Array) => readCard(bytes, 'mara.png')
const refusal = (bytes: Uint8Array) => cardErrorOf(() => read(bytes))

describe('carriers', () => {
  it.each<[string, Chunk]>([
    ['tEXt chara', tEXt('chara', base64(v2))],
    ['tEXt ccv3', tEXt('ccv3', base64(v2))],
    ['tEXt in capitals', tEXt('Chara', base64(v2))],
    ['tEXt CCV3', tEXt('CCV3', base64(v2))],
    ['zTXt', zTXt('chara', base64(v2))],
    ['iTXt', iTXt('chara', base64(v2), false)],
    ['iTXt compressed', iTXt('ccv3', base64(v2), true)],
  ])('%s, before and after the picture', (_, text) => {
    for (const chunks of [
      [header, text, picture, end],
      [header, picture, text, end],
    ]) {
      const { carrier, version, source } = read(png(chunks))

      expect({ carrier, version, source }).toEqual({ carrier: 'png', version: 'v2', source: v2 })
    }
  })

  it('an APNG, and other chunks around', () => {
    const animation = chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))
    const comment = tEXt('Comment', 'chara')

    const bytes = png([header, animation, comment, picture, tEXt('chara', base64(v2)), end])

    expect(read(bytes).source).toEqual(v2)
  })

  it('a PNG with more bytes after its end', () => {
    const bytes = Buffer.concat([pngWith(tEXt('chara', base64(v2))), Buffer.from('more')])

    expect(read(bytes).source).toEqual(v2)
  })

  it('a view into a larger buffer', () => {
    const bytes = pngWith(tEXt('chara', base64(v2)))
    const larger = Buffer.concat([Buffer.alloc(5), bytes, Buffer.alloc(3)])

    expect(read(larger.subarray(5, 5 + bytes.length)).source).toEqual(v2)
  })

  it('ccv3 is preferred, wherever it stands', () => {
    const both = [tEXt('chara', base64(v2)), tEXt('ccv3', base64(v3))]

    expect(read(pngWith(...both)).source).toEqual(v3)
    expect(read(pngWith(...both.toReversed())).source).toEqual(v3)
  })

  it('of several chunks of one keyword the first is read', () => {
    const bytes = pngWith(tEXt('chara', base64(v1)), tEXt('chara', base64(v2)))

    expect(read(bytes).version).toBe('v1')
  })

  it('the version is what the object says, not what the chunk is called', () => {
    expect(read(pngWith(tEXt('chara', base64(v3)))).version).toBe('v3')
    expect(read(pngWith(tEXt('ccv3', base64(v1)))).version).toBe('v1')
  })

  it('base64 broken into lines', () => {
    const text = base64(v2).replaceAll(/.{76}/g, '$&\r\n')

    expect(read(pngWith(tEXt('chara', ` ${text}\n`))).source).toEqual(v2)
  })

  it('text in any script', () => {
    const { card } = read(pngWith(tEXt('chara', base64({ ...v1, name: '关云长 🙂' }))))

    expect(card.name).toBe('关云长 🙂')
  })

  it('warns of a byte order mark inside', () => {
    const { warnings } = read(pngWith(tEXt('chara', base64(`\uFEFF${JSON.stringify(v2)}`))))

    expect(warnings).toMatchObject([{ found: 'a byte order mark' }])
  })
})

describe('damage', () => {
  const sound = pngWith(tEXt('chara', base64(v2)))

  it('a PNG without a card', () => {
    const error = refusal(pngWith(tEXt('Comment', 'hello')))

    expect(error.code).toBe('not-a-card')
    expect(error.message).toContain("card 'mara.png'")
    expect(error.message).toContain('chara or ccv3')
  })

  it.each([
    ['line ends rewritten', 4, 0x0a],
    ['the eighth bit lost', 0, 0x09],
  ])('a signature with its %s', (_, at, byte) => {
    const bytes = sound.slice()
    bytes[at] = byte

    expect(refusal(bytes).code).toBe('bad-png')
  })

  it('a first chunk that is no header', () => {
    expect(refusal(png([picture, end])).code).toBe('bad-png')
  })

  it('a chunk type that is no four letters', () => {
    expect(refusal(png([header, chunk('t\0xt'), end])).code).toBe('bad-png')
  })

  it('any one bit of any chunk', () => {
    for (let at = signature.length; at < sound.length; at += 3) {
      const bytes = sound.slice()
      bytes[at] = (bytes[at] ?? 0) ^ 0x10

      expect(['bad-crc', 'truncated', 'bad-png']).toContain(refusal(bytes).code)
    }
  })

  it('a wrong checksum, naming the chunk', () => {
    const bytes = Buffer.from(sound)
    const at = bytes.indexOf('chara') + 20
    bytes[at] = (bytes[at] ?? 0) ^ 1

    expect(refusal(bytes)).toMatchObject({ code: 'bad-crc', detail: { field: 'chunk tEXt' } })
  })

  it('a file that ends anywhere before its end', () => {
    for (let length = 1; length < sound.length; length += 5) {
      expect(refusal(sound.subarray(0, length)).code).toBe('truncated')
    }
  })

  it('a chunk that claims more than the file holds', () => {
    const claim = Buffer.from(bytesOf(chunk('tEXt', 'chara\0')))
    claim.writeUInt32BE(0xffffffff)

    expect(refusal(Buffer.concat([png([header]), claim])).code).toBe('truncated')
  })

  it.each([
    ['a foreign letter', 'eyJu*W1l'],
    ['a foreign letter of two bytes', 'eyJuYW1l\xe9'],
    ['URL letters', 'eyJu-_1l'],
    ['missing padding', 'eyJuYQ'],
    ['half the padding', 'eyJuYQ='],
    ['too much padding', 'eyJuYW1l===='],
    ['padding inside', 'eyJu=W1l'],
    ['padding inside, in the right number', 'eyJuYW=U'],
    ['one letter over', 'eyJuYW1lI'],
    ['stray bits', 'eyJuYR=='],
  ])('base64 with %s', (_, text) => {
    const error = refusal(pngWith(tEXt('chara', text)))

    expect(error).toMatchObject({ code: 'bad-base64', detail: { field: 'chunk tEXt chara' } })
  })

  it.each([
    ['that is no JSON', base64('{"name"')],
    ['that is no UTF-8', Buffer.from('{"name":"\xc9"}', 'latin1').toString('base64')],
    ['that is empty', ''],
  ])('a card %s', (_, text) => {
    expect(refusal(pngWith(tEXt('chara', text))).code).toBe('bad-json')
  })

  it('compressed text that is damaged, of an unknown method, or cut', () => {
    const cut = chunk('zTXt', Buffer.from(zTXt('chara', base64(v2)).data).subarray(0, 60))

    expect(refusal(pngWith(chunk('zTXt', 'chara\0\0nonsense'))).code).toBe('bad-png')
    expect(refusal(pngWith(zTXt('chara', base64(v2), '\x07'))).code).toBe('bad-png')
    expect(refusal(pngWith(cut)).code).toBe('bad-png')
    expect(refusal(pngWith(chunk('iTXt', 'chara\0\x02\0\0\0x'))).code).toBe('bad-png')
    expect(refusal(pngWith(chunk('iTXt', 'chara\0\0\0en'))).code).toBe('bad-png')
  })

  it('damaged compressed text under another keyword is nobody’s business', () => {
    const bytes = pngWith(chunk('zTXt', 'Other\0\0nonsense'), tEXt('chara', base64(v2)))

    expect(read(bytes).source).toEqual(v2)
  })
})

describe('limits', () => {
  it('text that inflates just to the limit is read', () => {
    const card = base64(v2)
    const text = card.padEnd(maxInflatedBytes, ' ')

    expect(read(pngWith(zTXt('chara', text))).source).toEqual(v2)
    expect(refusal(pngWith(zTXt('chara', `${text} `))).code).toBe('too-large')
  })

  it.each(['zTXt', 'iTXt'])('a bomb in %s is stopped while it inflates', (type) => {
    const zeros = Buffer.alloc(16 * 1024 * 1024)
    const block = deflateSync(zeros, { finishFlush: constants.Z_SYNC_FLUSH, level: 9 })
    const copies = Array<Buffer>(1500).fill(block.subarray(2))
    const start = Buffer.from(type === 'zTXt' ? 'ccv3\0\0' : 'ccv3\0\x01\0\0\0', 'latin1')

    const bytes = pngWith(chunk(type, Buffer.concat([start, block.subarray(0, 2), ...copies])))

    // It stands for 23 GiB: whoever inflates it first cannot answer.
    expect(refusal(bytes).code).toBe('too-large')
  })

  it('as many chunks as allowed, and one more', () => {
    const fill = Array<Chunk>(maxPngChunks - 4).fill(chunk('juNk'))
    const card = tEXt('chara', base64(v2))

    expect(read(pngWith(...fill, card)).source).toEqual(v2)
    expect(refusal(pngWith(...fill, chunk('juNk'), card)).code).toBe('too-large')
  })
})
