import type { Plugin } from 'vite'
import * as contract from '../contract/src/index.ts'

const VIRTUAL_PREFIX = '\0contract/'

type Shape = { _zod: unknown }
type Call = { path: string; method: string; input: Shape }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isShape = (value: unknown): value is Shape => isObject(value) && '_zod' in value
const isCall = (value: unknown): value is Call => isObject(value) && 'path' in value && 'input' in value

/** Whether an export of the contract is a module: a namespace that contains calls. */
const isModule = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.values(value).some(isCall)

/** A call is reduced to its method and path, a constant is kept; schemas and functions are dropped. */
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

/** Modules that are also written for the browser, and therefore included in full. */
const KEPT_WHOLE = [
  'counts',
  'covers',
  'descriptions',
  'keys',
  'peaks',
  'preferred-versions',
  'prices',
  'query',
  'tempo',
  'transitions',
]
  .map((file) => `export * from '@dubplate/contract/${file}'\n`)
  .join('')

/**
 * Reduces the contract to what the browser needs: the method and path of each call. The schemas and the library that
 * validates them stay on the server, which saves 13 kB on the first visit; a form that validates its own input imports
 * them from '@dubplate/contract/schemas/…'.
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
    // Calls that no first screen makes are bundled with the screens that make them.
    return { code, moduleSideEffects: false }
  },
})
