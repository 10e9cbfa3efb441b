/** What a program finds beyond the language: one declaration for each thing the guest's realm has. */
export const GUEST_LIBRARY = `
interface Console {
  log(...values: any[]): void
  info(...values: any[]): void
  warn(...values: any[]): void
  error(...values: any[]): void
  debug(...values: any[]): void
}
declare var console: Console
declare function print(...values: any[]): void

declare function structuredClone<T>(value: T): T
declare function queueMicrotask(callback: () => void): void
declare function setTimeout(callback: (...args: any[]) => void, delay?: number, ...args: any[]): number
declare function setInterval(callback: (...args: any[]) => void, delay?: number, ...args: any[]): number
declare function clearTimeout(id: number | null | undefined): void
declare function clearInterval(id: number | null | undefined): void
declare var performance: { now(): number }
declare function atob(data: string): string
declare function btoa(data: string): string

interface URLSearchParams {
  readonly size: number
  append(name: string, value: string): void
  delete(name: string, value?: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string, value?: string): boolean
  set(name: string, value: string): void
  sort(): void
  toString(): string
  forEach(callback: (value: string, key: string, parent: URLSearchParams) => void): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  [Symbol.iterator](): IterableIterator<[string, string]>
}
declare var URLSearchParams: {
  prototype: URLSearchParams
  new (init?: string | string[][] | Record<string, string> | URLSearchParams | Iterable<[string, string]>): URLSearchParams
}

interface URL {
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
  toString(): string
  toJSON(): string
}
declare var URL: {
  prototype: URL
  new (url: string | URL, base?: string | URL): URL
  canParse(url: string | URL, base?: string | URL): boolean
}

interface TextEncoder {
  readonly encoding: string
  encode(input?: string): Uint8Array
}
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder }
interface TextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  decode(input?: ArrayBuffer | ArrayBufferView | null, options?: { stream?: boolean }): string
}
declare var TextDecoder: {
  prototype: TextDecoder
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder
}
`
