/** From a card's JSON fields to the card the play uses. */
import { readBook } from './book-fields.ts'
import type { Card } from './card.ts'
import { CardError } from './card-error.ts'
import type { CardBody } from './card-spec.ts'
import { Fields, type Need, type WarningLog } from './fields.ts'
import { describeValue } from './json-text.ts'

/** Every field is read wherever it stands; the version only says which absent ones deserve a warning. */
export function readCardFields({ version, body, path }: CardBody, log: WarningLog): Card {
  const fields = new Fields(body, path, log)
  const since2: Need = version === 'v1' ? 'optional' : 'required'
  const since3: Need = version === 'v3' ? 'required' : 'optional'
  const name = requiredName(fields, log.file)
  const nickname = fields.text('nickname').trim()
  const extensions = fields.within('extensions', since2)
  const talkativeness = extensions.hintedNumber('talkativeness', { from: 0, to: 1 })
  const book = readBook(fields)
  return {
    name,
    ...(nickname === '' ? {} : { nickname }),
    description: fields.text('description', 'required'),
    personality: fields.text('personality', 'required'),
    scenario: fields.text('scenario', 'required'),
    firstMessage: fields.text('first_mes', 'required'),
    alternateGreetings: fields.textList('alternate_greetings', since2, 'whole'),
    groupOnlyGreetings: fields.textList('group_only_greetings', since3, 'whole'),
    exampleDialogue: fields.text('mes_example', 'required'),
    systemPrompt: fields.text('system_prompt', since2),
    postHistoryInstructions: fields.text('post_history_instructions', since2),
    creatorNotes: fields.text('creator_notes', since2),
    tags: fields.textList('tags', since2, 'commas'),
    creator: fields.text('creator', since2),
    characterVersion: fields.text('character_version', since2),
    talkativeness: talkativeness ?? defaultTalkativeness,
    ...(book === undefined ? {} : { book }),
    extensions: extensions.whole(),
  }
}

/** How readily a character speaks up when its card does not say. */
const defaultTalkativeness = 0.5

function requiredName(fields: Fields, file: string): string {
  const value = fields.raw('name')
  const absent = value === undefined || value === null
  const name = absent ? '' : fields.text('name').trim()
  if (name !== '') return name
  const field = fields.pathOf('name')
  const found = describeValue(value)
  const problem = `field '${field}' must be the character's name, found ${found}`
  throw new CardError('missing-name', problem, { file, field, found })
}
