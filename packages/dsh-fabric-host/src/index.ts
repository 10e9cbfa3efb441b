/** Fabric on the stock host: checked programs for the agents of a preset, and work delegated to sessions beside them. */
export type { CodeRun, CodeRuns } from './code-runs.ts'
export type {
  Delegation,
  DelegationRefusal,
  DelegationRequest,
  Delegations,
  Route,
} from './delegation.ts'
export { programTitle } from './program-title.ts'
export type { ToolContract } from './tool-contracts.ts'
