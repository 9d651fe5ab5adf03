import type { Plugin } from 'vite'
import * as contract from '../contract/src/index.ts'

const VIRTUAL_PREFIX = '\0contract/'

type Shape = { _zod: unknown }
type Call = { path: string; method: string; input: Shape }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isShape = (value: unknown): value is Shape => isObject(value) && '_zod' in value
const isCall = (value: unknown): value is Call => isObject(value) && 'path' in value && 'input' in value

/** A room of the contract: a namespace in which there are calls. */
const isModule = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.values(value).some(isCall)

/** A call as where it goes, a constant as itself; shapes and functions stay behind. */
function slimModule(name: string, value: unknown): string {
  if (isShape(value) || typeof value === 'function') return ''
  const slimValue = isCall(value) ? { path: value.path, method: value.method } : value
  return `export const ${name} = ${JSON.stringify(slimValue)}\n`
}

const modules = Object.fromEntries(Object.entries(contract).filter(([, exported]) => isModule(exported)))

const generateCode = (names: Record<string, unknown>): string =>
  Object.entries(names)
    .map(([name, value]) =>
      isModule(value) ? `export * as ${name} from '${VIRTUAL_PREFIX}${name}'\n` : slimModule(name, value),
    )
    .join('')

/** What is written for the browser too travels as it is. */
const KEPT_WHOLE = ['covers', 'keys', 'peaks', 'prices', 'query', 'tempo']
  .map((file) => `export * from '@dubplate/contract/${file}'\n`)
  .join('')

/**
 * The contract as the browser needs it: where each call goes. The shapes (and the library that checks them) stay with the
 * server, 13 kB of the first visit; a form that checks itself takes them from '@dubplate/contract/schemas/…'.
 */
export const slimContract = (): Plugin => ({
  name: 'contract-in-short',
  enforce: 'pre',
  resolveId: (id) => {
    if (id === '@dubplate/contract') return `${VIRTUAL_PREFIX}index`
    return id.startsWith(VIRTUAL_PREFIX) ? id : undefined
  },
  load: (id) => {
    if (!id.startsWith(VIRTUAL_PREFIX)) return undefined
    const moduleName = id.slice(VIRTUAL_PREFIX.length)
    const code =
      moduleName === 'index'
        ? KEPT_WHOLE + generateCode(modules)
        : generateCode(modules[moduleName] as Record<string, unknown>)
    // The calls of a room that no first screen makes travel with the screens that make them.
    return { code, moduleSideEffects: false }
  },
})
