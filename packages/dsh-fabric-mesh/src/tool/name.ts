/** The tool's name; programs of the peer's call it so. */
export const TOOL = 'fabric_mesh'
