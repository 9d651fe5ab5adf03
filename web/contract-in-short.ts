import type { Plugin } from 'vite'
import * as contract from '../contract/src/index.ts'

const INSIDE = '\0contract/'

type Shape = { _zod: unknown }
type Call = { path: string; method: string; input: Shape }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isShape = (value: unknown): value is Shape => isObject(value) && '_zod' in value
const isCall = (value: unknown): value is Call => isObject(value) && 'path' in value && 'input' in value

/** A room of the contract: a namespace in which there are calls. */
const isRoom = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.values(value).some(isCall)

/** A call as where it goes, a constant as itself; shapes and functions stay behind. */
function inShort(name: string, value: unknown): string {
  if (isShape(value) || typeof value === 'function') return ''
  const kept = isCall(value) ? { path: value.path, method: value.method } : value
  return `export const ${name} = ${JSON.stringify(kept)}\n`
}

const rooms = Object.fromEntries(Object.entries(contract).filter(([, it]) => isRoom(it)))

const codeOf = (names: Record<string, unknown>): string =>
  Object.entries(names)
    .map(([name, value]) => (isRoom(value) ? `export * as ${name} from '${INSIDE}${name}'\n` : inShort(name, value)))
    .join('')

/** What is written for the browser too travels as it is. */
const WHOLE = ['covers', 'keys', 'peaks', 'prices', 'query', 'tempo']
  .map((file) => `export * from '@dubplate/contract/${file}'\n`)
  .join('')

/**
 * The contract as the browser needs it: where each call goes. The shapes (and the library that checks them) stay with the
 * server, 13 kB of the first visit; a form that checks itself takes them from '@dubplate/contract/schemas/…'.
 */
export const contractInShort = (): Plugin => ({
  name: 'contract-in-short',
  enforce: 'pre',
  resolveId: (id) => {
    if (id === '@dubplate/contract') return `${INSIDE}index`
    return id.startsWith(INSIDE) ? id : undefined
  },
  load: (id) => {
    if (!id.startsWith(INSIDE)) return undefined
    const room = id.slice(INSIDE.length)
    const code = room === 'index' ? WHOLE + codeOf(rooms) : codeOf(rooms[room] as Record<string, unknown>)
    // The calls of a room that no first screen makes travel with the screens that make them.
    return { code, moduleSideEffects: false }
  },
})
