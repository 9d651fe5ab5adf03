import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Plugin, type Rolldown, transformWithOxc } from 'vite'

const SOURCE = path.join(import.meta.dirname, 'service-worker/sw.ts')
const PAGE_AND_ICONS = ['/', '/icon.svg']

/** The files every visit loads: the entry, its static imports, their styles and the font. */
function shellOf(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const files = new Set<string>()
  const add = (chunk: (typeof chunks)[number] | undefined) => {
    if (!chunk || files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const name of chunk.viteMetadata?.importedCss ?? []) files.add(name)
    for (const name of chunk.viteMetadata?.importedAssets ?? []) files.add(name)
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
  }
  add(chunks.find(({ isEntry }) => isEntry))
  for (const { fileName } of Object.values(bundle)) if (fileName.endsWith('.woff2')) files.add(fileName)
  return [...PAGE_AND_ICONS, ...[...files].sort().map((file) => `/${file}`)]
}

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/

/**
 * Moves the stylesheet below the initial page frame in index.html, so that it does not block the frame. A module script
 * still waits for the stylesheets above it, so the app never renders without styles.
 */
const deferStylesheets = (page: string): string => {
  const [link = ''] = STYLESHEET.exec(page) ?? []
  const preload = link.trim().replace('rel="stylesheet"', 'rel="preload" as="style"')
  return page.replace(link, link && `\n    ${preload}`).replace('</noscript>', `</noscript>${link}`)
}

/** Builds /sw.js, which caches the app shell for offline use. */
export const appShell = (): Plugin => ({
  name: 'app-shell',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: deferStylesheets },
  async generateBundle(_options, bundle) {
    const shell = shellOf(bundle)
    const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE)
    const version = createHash('sha256').update(shell.join()).digest('hex').slice(0, 12)
    const source = code
      .replaceAll('__SHELL__', JSON.stringify(shell))
      .replaceAll('__VERSION__', JSON.stringify(version))
    this.emitFile({ type: 'asset', fileName: 'sw.js', source })
  },
})
