import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { appShell } from './app-shell.ts'
import { slimContract } from './contract-in-short.ts'
import { earlyCode } from './early-code.ts'
import { embedFiles } from './embed-files.ts'
import { pseudoLocale } from './pseudo-locale.ts'

const mantine = (components: string) => `@mantine/core/esm/components/(${components})/`
/**
 * What members' fields and dialogs use of Mantine: two files. Otherwise they are split by what the back office uses as
 * well, and each new component there splits them further.
 */
const FIELDS = new RegExp(`node_modules/${mantine('Input|InputBase|TextInput|CloseButton|Loader')}`)
const DIALOGS = new RegExp(
  `node_modules/(react-remove-scroll|${mantine('Modal|ModalBase|ScrollArea|Overlay|Paper|Transition|Portal|FocusTrap')})`,
)
/** What members' pages are laid out with: one file, for the same reason. */
const LAYOUT = new RegExp(`node_modules/${mantine('Stack|Group|Text|Badge|Skeleton')}`)

const icons = (names: string) => `node_modules/@tabler/icons-react/.*/(${names})\\.m?js`
/** Modules that load together. Without these groups, each that something else uses as well would be a file of its own. */
const PLAYER_BAR = new RegExp(
  `web/src/player/(PlayerBar|Waveform|peaks|beatGrid|blend/otherTabs)\\.|${icons('IconArrowsShuffle|IconRepeatOnce|IconVolumeOff')}`,
)
const CAROUSEL = new RegExp(`web/src/ui/Carousel\\.|${icons('IconChevronLeft|IconChevronRight')}`)
const CLEAN_HTML = /node_modules\/dompurify\/|web\/src\/platform\/cleanHtml\./

/** During development, everything except the page itself comes from the server. */
const SERVER = process.env.DUBPLATE_SERVER ?? 'http://127.0.0.1:3000'
const PROXIED_PATHS = [
  '/api',
  '/files',
  '/bundles',
  '/exports',
  '/invoices',
  '/previews',
  '/peaks',
  '/images',
  '/logo',
  '/theme.css',
  '/upload-media',
  '/upload-watch',
  '/feeds',
  '/ticket-files',
  '/ticket-watch',
  '/sign-in/oidc',
  '/embed',
  '/oembed',
]

export default defineConfig({
  plugins: [slimContract(), pseudoLocale(), react(), earlyCode(), appShell(), embedFiles()],
  // The package's build for browsers targets ones of ten years ago, and is twice as large.
  resolve: { alias: { 'tus-js-client': 'tus-js-client/lib/browser/index.js' } },
  server: { proxy: Object.fromEntries(PROXIED_PATHS.map((path) => [path, SERVER])) },
  preview: { proxy: Object.fromEntries(PROXIED_PATHS.map((path) => [path, SERVER])) },
  build: {
    outDir: 'dist',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 1024,
    // What every visit needs is in one file: split into shared chunks it compresses 6 kB worse.
    rolldownOptions: {
      // A form loads only the schema of its own call, not those of all calls in the same file of the contract.
      treeshake: { manualPureFunctions: ['endpoint', 'z'] },
      // A text is a constant of its module's texts.ts. Inlined where it is used, it is bundled with the screen that
      // shows it.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'fields', test: FIELDS },
            { name: 'dialogs', test: DIALOGS },
            { name: 'layout', test: LAYOUT },
            { name: 'player-bar', test: PLAYER_BAR },
            { name: 'carousel', test: CAROUSEL },
            { name: 'clean-html', test: CLEAN_HTML },
          ],
        },
        // The chunks of the back office have their own name prefix: scripts/web-budget.mjs only measures what members
        // load. Hashes are short because the first script lists the names of all chunks.
        chunkFileNames: ({ facadeModuleId }) =>
          /\/web\/src\/(admin|staff)\//.test(facadeModuleId ?? '')
            ? 'assets/staff.[name]-[hash:7].js'
            : 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
})
