import { newestActivities, type ActivityRecord } from 'dsh-fabric-protocol'
import { expect, test } from 'vitest'

function activity(id: string, updatedAt: number, action = 'published'): ActivityRecord {
  return { id, kind: 'message', action, label: id, status: 'completed', updatedAt }
}

test('activities are newest first, and by id where the time is the same', () => {
  const ordered = newestActivities([activity('a', 1), activity('c', 2), activity('b', 2)])

  expect(ordered.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

test('an id stands once, as its newest record says', () => {
  const ordered = newestActivities([activity('a', 3, 'claimed'), activity('a', 2, 'sent')])

  expect(ordered).toEqual([activity('a', 3, 'claimed')])
})
