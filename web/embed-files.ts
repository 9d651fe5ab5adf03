import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Plugin, transformWithOxc } from 'vite'

const here = (file: string) => path.join(import.meta.dirname, file)
const SCRIPT = here('embed/embed.ts')

/** The site's own colours, without its font: an embedded player loads as little as possible. */
const tokens = () => readFileSync(here('src/styles/tokens.css'), 'utf8').replace(/@font-face \{[^}]*\}\n/g, '')

/** Builds /embed.js and /embed.css, the script and styles of the player that other sites embed. */
export const embedFiles = (): Plugin => ({
  name: 'embed-files',
  apply: 'build',
  async generateBundle() {
    const { code } = await transformWithOxc(readFileSync(SCRIPT, 'utf8'), SCRIPT)
    this.emitFile({ type: 'asset', fileName: 'embed.js', source: code })
    const styles = `${tokens()}${readFileSync(here('embed/embed.css'), 'utf8')}`
    this.emitFile({ type: 'asset', fileName: 'embed.css', source: styles })
  },
})
