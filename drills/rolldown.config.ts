import { defineConfig } from 'rolldown'

/** Bundles the drills as plain JavaScript, next to the root's node_modules. */
export default defineConfig({
  input: { main: 'drills/main.ts' },
  platform: 'node',
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@dubplate/'),
  output: { dir: 'drills/tmp/built', format: 'esm', sourcemap: true, cleanDir: true },
})
