/** The terminal's door for tests and embedders: the composition that `tavern` mounts. */
export { boot, type BootOptions, bundleRoot, homePaths } from './boot.ts'
export { traceRequests } from './trace.ts'
