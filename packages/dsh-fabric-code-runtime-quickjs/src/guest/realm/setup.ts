/** What a run tells the bridge in its realm before any program text is there. Shallow JSON. */
export interface RealmSetup {
  /** Of `Math.random`: a realm comes from a snapshot, whose own seed would repeat. */
  readonly seed: readonly [number, number, number, number]
  /** Of the program, as its positions name it. */
  readonly file: string
  /** Characters of one encoded value. */
  readonly maxText: number
  readonly namespaces: readonly RealmNamespace[]
  readonly constants: readonly {
    readonly name: string
    readonly text: string
    readonly depth: number
  }[]
}

export interface RealmNamespace {
  readonly global: string
  readonly members: readonly string[]
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
}

/** Why a program failed, as its realm tells it. */
export interface RealmFailure {
  readonly message: string
  readonly line?: number
  readonly column?: number
}
