import fs from 'node:fs'

/** The functions that a module exports take and return numbers, and its memory may move when it grows. */
export type WasmExports = Record<string, (...args: number[]) => number> & { memory: { buffer: ArrayBuffer } }
type WasmImports = Record<string, Record<string, (...args: number[]) => number>>

/** Declared here because Node's types do not include it. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object, imports: WasmImports) => { exports: object }
  }
}

const compiledModules = new Map<string, object>()

/**
 * Creates an instance of a module of this folder with its own memory. The build puts the modules next to the script,
 * see scripts/wasm-files.mjs. Throws when the file is missing or the CPU has no SIMD.
 */
export function loadWasm(name: 'dsp' | 'lame' | 'faad', imports: WasmImports = {}): WasmExports {
  const module =
    compiledModules.get(name) ?? new webAssembly.Module(fs.readFileSync(new URL(`./${name}.wasm`, import.meta.url)))
  compiledModules.set(name, module)
  return new webAssembly.Instance(module, imports).exports as WasmExports
}
