/** What a mesh tool result carries in its metadata, so that a session's log rebuilds its graph. */
import { z } from 'zod'
import { activityRecord } from './activity.ts'
import { present } from './present.ts'
import { projectedEdge, projectedNode } from './projection.ts'

export const FABRIC_MESH_RESULT_META_KIND = 'dsh-fabric.mesh-result'
export const FABRIC_MESH_RESULT_META_VERSION = 1

export const meshResultProjection = z
  .object({
    activity: activityRecord,
    nodes: z.array(projectedNode).readonly(),
    edges: z.array(projectedEdge).readonly(),
  })
  .readonly()
/** One mesh call seen from the session that made it. */
export type MeshResultProjection = z.infer<typeof meshResultProjection>

const resultMeta = z
  .object({
    kind: z.literal(FABRIC_MESH_RESULT_META_KIND),
    version: z.literal(FABRIC_MESH_RESULT_META_VERSION),
    ...meshResultProjection.unwrap().shape,
  })
  .readonly()
export type FabricMeshResultMeta = z.infer<typeof resultMeta>

/** Logs of old hold nodes without a time: they take their activity's. */
const persistedMeta = resultMeta
  .unwrap()
  .extend({ nodes: z.array(projectedNode.unwrap().partial({ updatedAt: true })) })

export function fabricMeshResultMeta(projection: MeshResultProjection): FabricMeshResultMeta {
  const { activity, nodes, edges } = projection
  return {
    kind: FABRIC_MESH_RESULT_META_KIND,
    version: FABRIC_MESH_RESULT_META_VERSION,
    activity,
    nodes,
    edges,
  }
}

/** Undefined for anything that is not such metadata, whole and well formed: it is never read in part. */
export function readFabricMeshResultMeta(value: unknown): FabricMeshResultMeta | undefined {
  const parsed = persistedMeta.safeParse(value)
  if (!parsed.success) return undefined
  const { activity, nodes, edges } = parsed.data
  const dated = nodes.map((node) =>
    present({ ...node, updatedAt: node.updatedAt ?? activity.updatedAt }),
  )
  return fabricMeshResultMeta({ activity, nodes: dated, edges })
}
