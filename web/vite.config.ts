import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { appShell } from './app-shell.ts'
import { contractInShort } from './contract-in-short.ts'

/** While developing, everything that is not the page itself comes from the server. */
const SERVER = process.env.DUBPLATE_SERVER ?? 'http://127.0.0.1:3000'
const SERVED = ['/api', '/files', '/bundles', '/previews', '/peaks', '/images']

export default defineConfig({
  plugins: [contractInShort(), react(), appShell()],
  server: { proxy: Object.fromEntries(SERVED.map((path) => [path, SERVER])) },
  preview: { proxy: Object.fromEntries(SERVED.map((path) => [path, SERVER])) },
  build: {
    outDir: 'dist',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 1024,
    // What every visit needs travels as one file: cut into shared crumbs it compresses 6 kB worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
})
