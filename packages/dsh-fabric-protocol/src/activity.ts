/** One thing that happened, as a row of the activity list; it never carries a payload. */
import { z } from 'zod'
import { activityKind, nodeStatus } from './graph-words.ts'
import { compareText, newestByKey } from './order.ts'
import { timestamp } from './timestamp.ts'

export const activityRecord = z
  .object({
    /** The same id again is the same thing further on: it replaces the row. */
    id: z.string(),
    kind: activityKind,
    action: z.string(),
    label: z.string(),
    status: nodeStatus,
    updatedAt: timestamp,
    /** The node of the place where it happened. */
    nodeId: z.string().optional(),
    detail: z.string().optional(),
  })
  .readonly()
export type ActivityRecord = z.infer<typeof activityRecord>

/** Each id once, in its newest form; newest first, equal times by descending id. */
export function newestActivities(records: Iterable<ActivityRecord>): readonly ActivityRecord[] {
  return [...newestByKey(records, (record) => record.id).values()].toSorted(
    (left, right) => right.updatedAt - left.updatedAt || compareText(right.id, left.id),
  )
}

/** Padded, so that in one millisecond the order of ids is the order of the mesh. */
export function activityId(nodeId: string, order: number | string): string {
  return `${nodeId}#${typeof order === 'number' ? String(order).padStart(16, '0') : order}`
}
