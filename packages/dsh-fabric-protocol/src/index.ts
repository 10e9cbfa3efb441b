/** The words of Fabric: JSON, mesh records, participants, activity and topology. */
export * from './assert-never.ts'
export * from './json.ts'
export * from './mesh-records.ts'
