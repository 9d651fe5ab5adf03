// Measures the gzipped size of the built front end (web/dist) and exits 1 with a message when a budget is exceeded. The
// budgets are those of the design: what a first visit loads, and what any one screen adds to it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readBuilds } from './builds.mjs'

const DIST = join(import.meta.dirname, '../web/dist')
// Of a page of the back office, about 110 kB are tables and forms, which all of its pages share. All member JavaScript
// includes 11 kB for the help desk and the saved searches (Mantine's layout and select, and forms that validate with the
// schemas of their calls), and 33 kB in small files that no first visit loads: the filter bar's panels, all versions of a
// row, columns, touch gestures, the crate with its versions, preferred versions, collection headers, pages of artists,
// labels and the library with what is followed, and the actions that continue after sign-in. The editor of beat grids,
// opened from the form of an upload, is 9 kB, the quality of a file with its spectrum 5 kB, and the choice of a download's
// format with the progress of its conversion 3 kB. Download profiles are 13 kB, mostly their form with its preview of
// paths, which is the largest screen: 52 kB with the form system. Downloads for DJ software with a page for each program
// are 13 kB, the order of the crate with its transitions 5 kB, digging with muted songs 11 kB, the blend preview 7 kB, and
// cloud storage with its dialog and return pages 9 kB. The DJ library is 21 kB: the readers of six formats, which load with
// the first file, its screen, and the marks and questions elsewhere; 1 kB of it is in the first script, since every list marks
// the songs that the member owns. The hashes in file names alone change that total by 0.2 kB.
const BUDGET_KB = { firstScript: 151, firstStyle: 15, memberRoute: 53, staffRoute: 147, memberScript: 661 }

if (!existsSync(join(DIST, 'index.html'))) {
  console.error('No web build found in web/dist. Run npm run build first.')
  process.exit(1)
}

const read = (file) => readFileSync(join(DIST, file), 'utf8')
const gzippedKb = (file) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / 1000
const total = (files) => [...files].reduce((sum, file) => sum + gzippedKb(file), 0)
const isScript = (file) => file.endsWith('.js')
const isStyle = (file) => file.endsWith('.css')

/** Files that a script loads at once: its static imports. */
function importsOf(file) {
  const code = read(file)
  const statements = code.matchAll(
    /(?:^|[;\n}])\s*(?:import|export)\s*(?:[\w*{}\s,$]+?from\s*)?["'](\.[^"']+\.js)["']/g,
  )
  return [...statements].map(([, path]) => join(dirname(file), path))
}

/** Files that a script may load later. */
function lazyImportsOf(file) {
  return [...read(file).matchAll(/import\(["'`](\.[^"'`]+\.js)["'`]\)/g)].map(([, path]) => join(dirname(file), path))
}

/** The files and all of their dependencies. */
function reached(files, leadsTo) {
  const seen = new Set()
  const waiting = [...files]
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (isScript(file)) waiting.push(...leadsTo(file))
  }
  return seen
}

const withImports = (files) => reached(files, importsOf)

const entries = [...read('index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
  ([, file]) => file,
)
const first = withImports(entries)

// Files of earlier builds are kept next to these for a day (scripts/builds.mjs).
const [{ files }] = readBuilds(DIST)

/** Every page of members loads the player bar once it is shown (web/vite.config.ts), so none of them adds it. */
const playerBar = files.filter((file) => file.startsWith(join('assets', 'player-bar-')) && isScript(file))
if (playerBar.length !== 1)
  throw new Error(`The web build has ${playerBar.length} files of the player bar instead of one.`)
const onMemberPages = withImports([...first, ...playerBar])

/** What loading one script later adds to what its page has loaded. */
function addedBy(file) {
  const loaded = isBackOffice(file) ? first : onMemberPages
  return [...withImports([file])].filter((each) => !loaded.has(each))
}

/** Screens of the back office have their own chunk names (web/vite.config.ts). */
const isBackOffice = (file) => file.startsWith(join('assets', 'staff.'))

const lazy = files
  .filter((file) => file.startsWith('assets') && isScript(file) && !first.has(file))
  .map((file) => ({ file, kb: total(addedBy(file)) }))
  .sort((a, b) => b.kb - a.kb)

const memberModules = reached(entries, (file) =>
  [...importsOf(file), ...lazyImportsOf(file)].filter((each) => !isBackOffice(each)),
)
const backOffice = lazy.filter(({ file }) => isBackOffice(file))
if (backOffice.length === 0) throw new Error('No back-office chunk found.')

const measured = [
  { what: 'Initial JavaScript', kb: total([...first].filter(isScript)), budget: BUDGET_KB.firstScript },
  { what: 'Initial CSS', kb: total([...first].filter(isStyle)), budget: BUDGET_KB.firstStyle },
  { what: 'All member JavaScript', kb: total([...memberModules].filter(isScript)), budget: BUDGET_KB.memberScript },
  ...lazy
    .filter(({ file }) => memberModules.has(file))
    .slice(0, 3)
    .map(({ file, kb }) => ({ what: `${file} (lazy)`, kb, budget: BUDGET_KB.memberRoute })),
  ...backOffice.slice(0, 3).map(({ file, kb }) => ({ what: `${file} (lazy)`, kb, budget: BUDGET_KB.staffRoute })),
]

for (const { what, kb, budget } of measured) console.log(`${what}: ${kb.toFixed(1)} kB of ${budget} kB gzipped`)

const broken = measured.filter(({ kb, budget }) => kb > budget)
for (const { what, kb, budget } of broken)
  console.error(`${what} exceeds its budget by ${(kb - budget).toFixed(1)} kB.`)
process.exit(broken.length ? 1 : 0)
