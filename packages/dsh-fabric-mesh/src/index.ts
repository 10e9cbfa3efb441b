/** The mesh's door: the port, its error, and the workspace identity rule. */
export * from './error.ts'
export * from './mesh.ts'
