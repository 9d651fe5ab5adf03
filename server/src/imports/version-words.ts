/** A word of a version's label; `rank` is its place in the label: what was done to the record, then what is left out of it. */
export type LabelWord = { word: string; rank: number }

/** What a bracket or the end of a title says about the cut: words of its label, and who remixed the song. */
export type VersionWords = {
  label: LabelWord[]
  /** `by` is empty when nobody is named: '(Remix)'. */
  remix?: { by: string; kind: string }
  /** Tempo before and after a transition. */
  bpm?: [from: number, to: number]
}

const ACAPELLA = `(?:a ?-?cap{1,2}el{1,2}a|ac{1,2}ap{1,2}el{1,2}a|acap|aca)`
const BARS = String.raw`\d{1,2}[\s-]?(?:bars?|beats?|counts?)`
const SPAN = String.raw`(\d{2,3})\s*(?:-|–|to|>|->)\s*(\d{2,3})(?:\s*bpm)?`

/** Longer forms stand before the shorter ones they end with. `remix`: what the form is once somebody's name is in front. */
const FORMS: { form: RegExp; word: string; rank: number; remix?: string }[] = [
  ...form(`(?:transition|seg(?:ue|way))\\s*${SPAN}|${SPAN}\\s*transition|transition|seg(?:ue|way)`, 'Transition', 24),
  ...form(`${ACAPELLA}[\\s-]*in(?:tro)?[\\s/&+-]*(?:and\\s+)?(?:${ACAPELLA}[\\s-]*)?out(?:ro)?`, 'Acapella In-Out', 30),
  ...form(`${ACAPELLA}[\\s-]*intro`, 'Acapella Intro', 30),
  ...form(`${ACAPELLA}[\\s-]*in`, 'Acapella In', 30),
  ...form(`${ACAPELLA}[\\s-]*out(?:ro)?`, 'Acapella Out', 31),
  ...form(`(?:diy |studio )?${ACAPELLA}|pella`, 'Acapella', 52),
  ...form('instrumental|instru|inst\\.?', 'Instrumental', 50),
  ...form('(?:super|ultra) short(?: edit)?', 'Super Short Edit', 20),
  ...form('short(?: edit| version)?', 'Short Edit', 20),
  ...form('quick ?hit(?:ter)?(?: edit)?|qh', 'Quick Hit', 18),
  ...form('snip(?:pet)?', 'Snip', 16),
  ...form('radio (?:edit|mix|version)|radio', 'Radio Edit', 26, 'Remix'),
  ...form('club (?:mix|edit|version)|club', 'Club Mix', 26, 'Remix'),
  ...form(
    "extended (?:mix|version|edit)|extended|ext\\.?(?: mix)?|12(?:[\"”″]|''| ?in(?:ch)?)(?: (?:mix|version|single))?",
    'Extended',
    28,
    'Remix',
  ),
  ...form('original (?:mix|version)|original', 'Original', 36, 'Remix'),
  ...form('main(?: mix| version)?', 'Main', 36),
  ...form('(?:album|lp) version', 'Album Version', 36),
  ...form("single version|7(?:[\"”″]|''| ?in(?:ch)?) (?:mix|version|edit)", 'Single Version', 36),
  ...form('tv track', 'TV Track', 51),
  ...form('bonus beats?', 'Bonus Beats', 51),
  ...form('vocal (?:mix|version)|vocal', 'Vocal', 40, 'Remix'),
  ...form('dub(?: mix| version)?', 'Dub', 40, 'Remix'),
  ...form('acoustic(?: version)?', 'Acoustic', 40),
  ...form('live(?: version)?', 'Live', 40),
  ...form('(?:\\d{4} )?(?:digital )?remaster(?:ed)?(?: version| \\d{4})?', 'Remastered', 41),
  ...form('vip(?: mix| edit)?', 'VIP', 10, 'VIP'),
  ...form('redrum', 'Redrum', 12, 'Redrum'),
  ...form('hype(?: edit| mix)?', 'Hype', 14),
  ...['Chorus', 'Hook', 'Verse'].flatMap((part) => [
    ...form(`${part} first`, `${part} First`, 31),
    ...form(`${part} in(?:tro)?`, `${part} Intro`, 31),
  ]),
  ...form(`(?:(?:${BARS}|throwback|drum|beat|break|clap|kick|perc(?:ussion)?) )?intro`, 'Intro', 32),
  ...form('outro', 'Outro', 33),
  ...form('(?:super|squeaky|e?xtra|ultra)[\\s-]*clean', 'Super Clean', 60),
  ...form('clean|amended|censored|edited', 'Clean', 60),
  ...form('dirty|explicit|uncensored', 'Dirty', 61),
]

function form(source: string, word: string, rank: number, remix?: string) {
  return [{ form: new RegExp(`(?:^|[\\s/+&,-])(?:${source})$`, 'i'), word, rank, remix }]
}

const REMIX = /(?:^|\s)(remix|rmx|bootleg|boot|flip|rework|refix|mash-?up|re-?edit|blend|reboot|remake|edit|mix)$/i
const REMIX_KINDS: Record<string, string> = {
  rmx: 'Remix',
  mix: 'Remix',
  boot: 'Bootleg',
  reedit: 'Edit',
  mashup: 'Mashup',
}
const FILLER = /(?:^|\s)(?:version|ver\.?|cut|exclusive)$/i
const LOOSE_END = /[\s,/&+|:;–—-]+$|\s(?:and|w\/)$/i
/** Services that cut intros and clean versions: their name says where a file is from, not who remixed the song. */
const POOL_NAME =
  /^(?:ck|club killers|crooklyn clan|dj ?city|bpm(?: supreme)?|zip ?dj|dms|direct music service|heavy hits|bar ?bangerz|crack ?4 ?djs|my ?mp3 ?pool|x-?mix|promo only|mastermix|late night record pool|lnrp|digital dj pool|ddp|franchise|smash ?vision|beatsource|beatjunkies|hmc|throwback)$/i
/** A name in front of version words that says who made the cut, not who remixed the song: 'DJ Bob Intro', 'ASP Clean'. */
const MAKER = /^(?:[Dd][Jj]\s.+|[A-Z0-9&]{2,5}|[^\s]+['’]s)$/
/** Three words at most, each beginning with a capital or a digit: 'Jay Nice' of 'Jay Nice Intro Clean'. */
const SHORT_NAME = /^(?:[\p{Lu}\p{N}]\S*)(?: [\p{Lu}\p{N}&]\S*){0,2}$/u

const isMaker = (rest: string, labelWords: number): boolean =>
  MAKER.test(rest) || POOL_NAME.test(rest) || (labelWords > 1 && SHORT_NAME.test(rest))

const titleCase = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

function remixKind(word: string): string {
  const plain = word.toLowerCase().replace('-', '')
  return REMIX_KINDS[plain] ?? titleCase(plain)
}

type Taken = VersionWords & { rest: string; kind?: string }

/** Takes known words from the end of the text as long as there are any. */
function takeFromEnd(text: string): Taken {
  const taken: Taken = { label: [], rest: text.trim() }
  for (;;) {
    taken.rest = taken.rest.replace(LOOSE_END, '')
    if (!takeForm(taken) && !takeRemix(taken) && !takeFiller(taken)) return taken
  }
}

function takeForm(taken: Taken): boolean {
  for (const { form, word, rank, remix } of FORMS) {
    const found = form.exec(taken.rest)
    if (!found) continue
    const numbers = found.slice(1).filter(Boolean).map(Number)
    const [from, to] = numbers
    if (from && to) taken.bpm = [from, to]
    taken.label.push({ word: from && to ? `${word} ${from}-${to}` : word, rank })
    taken.kind ??= remix
    taken.rest = taken.rest.slice(0, found.index)
    return true
  }
  return false
}

function takeRemix(taken: Taken): boolean {
  const found = REMIX.exec(taken.rest)
  if (!found?.[1]) return false
  // Of 'Extended Remix' the later, plainer word decides: an edit stays an edit, everything else is a remix.
  taken.kind = remixKind(found[1])
  taken.remix = { by: '', kind: taken.kind }
  taken.rest = taken.rest.slice(0, found.index)
  return true
}

function takeFiller(taken: Taken): boolean {
  const found = FILLER.exec(taken.rest)
  if (!found || found.index === 0) return false
  taken.rest = taken.rest.slice(0, found.index)
  return true
}

const isBareWord = (text: string) => /^(?:re)?mix$|^version$/i.test(text.trim())

function readWhole(text: string): VersionWords | undefined {
  const { label, rest, remix, kind, bpm } = takeFromEnd(text)
  const isPlainEdit = remix !== undefined && /mix|edit/i.test(remix.kind) && !/remix|rmx/i.test(text)
  if (rest === '') {
    if (label.length > 0) return { label, bpm, remix: isPlainEdit ? undefined : remix }
    return remix?.kind === 'Edit' ? { label: [{ word: 'Edit', rank: 35 }] } : undefined
  }
  if (kind) {
    const isKindOnly = kind === 'VIP' || kind === 'Redrum'
    return { label: isKindOnly ? label.filter(({ word }) => word !== kind) : label, bpm, remix: { by: rest, kind } }
  }
  if (label.length > 0 && isMaker(rest, label.length)) return { label, bpm }
  // '(CK Cut)' says only which pool a file is from.
  return rest !== text.trim() && POOL_NAME.test(rest) ? { label } : undefined
}

/**
 * Reads 'Intro - Dirty', 'X Extended Remix', 'Transition 98-128'. Undefined when the text is something else, or when a
 * lone '(Remix)' had better stay in the title.
 */
export function readVersionWords(text: string): VersionWords | undefined {
  const by = /^(?:remix|remixed|rmx) by (.+)$/i.exec(text.trim())
  if (by?.[1]) return { label: [], remix: { by: by[1].trim(), kind: 'Remix' } }
  if (isBareWord(text)) return undefined
  const whole = readWhole(text)
  if (whole && !whole.remix) return whole
  const parts = text.split(/\s+[-–—]\s+|\s*,\s+/)
  const each = parts.length > 1 ? parts.map(readWhole) : [undefined]
  if (each.every((part) => part !== undefined)) return each.reduce(joinWords)
  return whole
}

/** What two brackets of one title say together. */
export const joinWords = (a: VersionWords, b: VersionWords): VersionWords => ({
  label: [...a.label, ...b.label],
  remix: a.remix ?? b.remix,
  bpm: a.bpm ?? b.bpm,
})

/** The one label for these words, whatever their order was: 'Extended Intro Dirty'. Undefined when there are none. */
export function labelOf(words: readonly LabelWord[]): string | undefined {
  const isSpecific = words.some(({ word }) => word !== 'Original')
  const told = isSpecific ? words.filter(({ word }) => word !== 'Original') : words
  const sorted = [...told].sort((a, b) => a.rank - b.rank || a.word.localeCompare(b.word))
  return [...new Set(sorted.map(({ word }) => word))].join(' ') || undefined
}
