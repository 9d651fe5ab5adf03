import type sharp from 'sharp'
import { loadOnFirstUse } from './on-first-use.ts'

let loaded: typeof sharp | undefined

/** Returns sharp, which decodes and encodes pictures. It uses one thread for each picture and keeps none in memory. */
export function loadSharp(): typeof sharp {
  loaded ??= configure(load())
  return loaded
}

const load = loadOnFirstUse<typeof sharp>('sharp')

function configure(library: typeof sharp): typeof sharp {
  library.cache(false)
  library.concurrency(1)
  return library
}
