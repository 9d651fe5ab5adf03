// The plugin of the server's builds that puts our own WebAssembly modules next to the scripts that load them.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './releases.mjs'

const FOLDER = path.join(root, 'server/src/analysis/wasm')

/** server/src/analysis/wasm/load-wasm.ts finds the modules by a URL relative to its script. */
export function wasmFiles() {
  return {
    name: 'wasm-files',
    generateBundle() {
      for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.wasm')))
        this.emitFile({ type: 'asset', fileName: name, source: readFileSync(path.join(FOLDER, name)) })
      // The LGPL and the GPL ask for a copy with each copy of the program.
      for (const name of ['lame', 'faad']) {
        const source = readFileSync(path.join(FOLDER, name, 'COPYING'))
        this.emitFile({ type: 'asset', fileName: `${name}-licence.txt`, source })
      }
    },
  }
}
