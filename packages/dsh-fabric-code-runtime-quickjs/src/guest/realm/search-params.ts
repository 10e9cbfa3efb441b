/**
 * `URL.prototype.searchParams` (URL Standard 6.1), which the engine's own URL lacks: a change of either is a change
 * of the other. Self-contained: runs in the realm.
 */
export function connectSearchParams(): void {
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect
  const Params = URLSearchParams
  const uncurry = Function.prototype.bind.bind(Reflect.get(Function.prototype, 'call'))
  const method = (prototype: object, name: string) => uncurry(Reflect.get(prototype, name))
  const find: (map: object, key: object) => object | undefined = method(WeakMap.prototype, 'get')
  const note: (map: object, key: object, value: object) => void = method(WeakMap.prototype, 'set')
  const textOf: (params: object) => string = method(Params.prototype, 'toString')
  const append: (params: object, name: string, value: string) => void = method(
    Params.prototype,
    'append',
  )
  const remove: (params: object, name: string) => void = method(Params.prototype, 'delete')
  const eachOf: (params: object, visit: (value: string, name: string) => void) => void = method(
    Params.prototype,
    'forEach',
  )
  const paramsOf = new WeakMap()
  const urlOf = new WeakMap()
  const search = getOwnPropertyDescriptor(URL.prototype, 'search')
  const readSearch: (url: object) => string = uncurry(search?.get)
  const writeSearch: (url: object, value: string) => void = uncurry(search?.set)

  defineProperty(URL.prototype, 'searchParams', {
    get(this: object) {
      const known = find(paramsOf, this)
      if (known !== undefined) return known
      const params = new Params(readSearch(this))
      note(paramsOf, this, params)
      note(urlOf, params, this)
      return params
    },
    enumerable: true,
    configurable: true,
  })
  follow('search')
  follow('href')
  tell('append')
  tell('delete')
  tell('set')
  tell('sort')

  /** Of a URL that is changed, its parameters follow. */
  function follow(name: string): void {
    const property = getOwnPropertyDescriptor(URL.prototype, name)
    const write = property?.set
    if (property === undefined || write === undefined) return
    defineProperty(URL.prototype, name, {
      ...property,
      set(this: object, value: unknown) {
        apply(write, this, [value])
        const params = find(paramsOf, this)
        if (params !== undefined) fill(params, readSearch(this))
      },
    })
  }

  /** Of parameters that are changed, their URL follows. */
  function tell(name: string): void {
    const property = getOwnPropertyDescriptor(Params.prototype, name)
    const change: unknown = property?.value
    if (property === undefined || typeof change !== 'function') return
    defineProperty(Params.prototype, name, {
      ...property,
      value(this: object, ...values: unknown[]) {
        apply(change, this, values)
        const url = find(urlOf, this)
        if (url !== undefined) writeSearch(url, textOf(this))
      },
    })
  }

  function fill(params: object, text: string): void {
    let names: { readonly name: string; readonly next: typeof names } | undefined
    eachOf(params, (_, name) => (names = { name, next: names }))
    for (let at = names; at !== undefined; at = at.next) remove(params, at.name)
    eachOf(new Params(text), (value, name) => append(params, name, value))
  }
}
