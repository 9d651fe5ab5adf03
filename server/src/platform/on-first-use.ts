import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Returns a function that loads a CommonJS package the first time it is called, so that a process starts without what
 * its first requests do not need. Packages that are ECMAScript modules are loaded with `import()` where they are used.
 */
export const loadOnFirstUse =
  <Package>(name: string): (() => Package) =>
  () =>
    require(name) as Package
