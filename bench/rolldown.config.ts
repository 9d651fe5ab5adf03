import { defineConfig } from 'rolldown'
import { wasmFiles } from '../scripts/wasm-files.mjs'

/** Bundles the benchmarks and the two processes they start as plain JavaScript, next to the root's node_modules. */
export default defineConfig({
  input: {
    main: 'bench/main.ts',
    analysing: 'bench/measure-analysis.ts',
    traces: 'bench/measure-traces-process.ts',
    converting: 'bench/measure-conversion.ts',
    'import-parts': 'bench/measure-import-parts.ts',
    'load-client': 'bench/load-client.ts',
    'report-memory': 'bench/report-memory.ts',
    'bare-server': 'bench/bare-server.ts',
  },
  platform: 'node',
  plugins: [wasmFiles()],
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@dubplate/'),
  output: { dir: 'bench/tmp/built', format: 'esm', sourcemap: true, cleanDir: true },
})
