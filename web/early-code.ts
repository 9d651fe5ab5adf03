import type { Plugin, Rolldown } from 'vite'

/** The common entry screens, by the start of their path, and the file with their code. */
const SCREENS: Record<string, string> = {
  '/charts': 'catalogue/Charts.tsx',
  '/newRelease': 'catalogue/NewReleases.tsx',
  '/genres/view/': 'catalogue/GenreView.tsx',
  '/spotlight/view/': 'catalogue/SpotlightView.tsx',
  '/top20/songs/': 'catalogue/Top20View.tsx',
  '/song/': 'catalogue/SongView.tsx',
  '/search/result': 'catalogue/SearchResults.tsx',
  '/crate': 'library/Crate.tsx',
  // This file knows where the code of these screens is; the browser fetches that next.
  '/account/': 'otherScreens.ts',
  '/subscription/': 'otherScreens.ts',
  '/uploads/': 'otherScreens.ts',
}

/** The files and styles of a screen that the first ones do not already include. */
function filesOf(screen: string, bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const first = chunks.find(({ isEntry }) => isEntry)
  const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${screen}`))
  if (!chunk) throw new Error(`${screen} no longer has its own chunk. Update web/early-code.ts.`)
  const others = chunk.imports.filter((name) => name !== first?.fileName && !first?.imports.includes(name))
  const all = [chunk, ...chunks.filter(({ fileName }) => others.includes(fileName))]
  return all.flatMap((each) => [each.fileName, ...(each.viteMetadata?.importedCss ?? [])])
}

const script = (
  files: Record<string, string[]>,
) => `for (const [start, files] of ${JSON.stringify(Object.entries(files))})
  if (location.pathname.startsWith(start))
    for (const file of files) {
      const link = document.createElement('link')
      if (file.endsWith('.css')) { link.rel = 'preload'; link.as = 'style'; link.crossOrigin = '' }
      else link.rel = 'modulepreload'
      link.href = '/' + file
      document.head.append(link)
    }`

/** Lets the document itself fetch the code of the screen it was opened at, while the first code is still loading. */
export const earlyCode = (): Plugin => ({
  name: 'early-code',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_page, { bundle = {} }) => {
      const files = Object.entries(SCREENS).map(([start, screen]) => [start, filesOf(screen, bundle)])
      return [{ tag: 'script', children: script(Object.fromEntries(files)), injectTo: 'head' }]
    },
  },
})
