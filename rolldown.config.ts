import { defineConfig } from 'rolldown'
import { wasmFiles } from './scripts/wasm-files.mjs'

/** The server as plain JavaScript: our own sources in one place, packages from node_modules. The command line says where to. */
export default defineConfig({
  input: {
    start: 'server/src/start.ts',
    web: 'server/src/web.ts',
    worker: 'server/src/worker.ts',
    pool: 'server/src/pool.ts',
    'analyser-child': 'server/src/analysis/analyser-child.ts',
    'markdown-worker': 'server/src/platform/markdown-worker.ts',
    'music-child': 'server/src/demo-pool/music-child.ts',
  },
  platform: 'node',
  plugins: [wasmFiles()],
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@dubplate/'),
  // scripts/builds.mjs tells programs from chunks by their names.
  output: { chunkFileNames: 'chunk-[name]-[hash].js', format: 'esm', sourcemap: true, cleanDir: true },
})
