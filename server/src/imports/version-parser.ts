/**
 * A word of a version's label. `rank` is its position in the label: first what was done to the record, then what is
 * left out of it.
 */
export type LabelWord = { word: string; rank: number }

/**
 * Information about the version in a bracket or at the end of a title: the words of its label, and who remixed the
 * song.
 */
export type VersionInfo = {
  label: LabelWord[]
  /** `by` is empty when there is no name: '(Remix)'. */
  remix?: { by: string; kind: string }
  /** Tempo before and after a transition. */
  bpm?: [from: number, to: number]
}

const ACAPELLA = `(?:a ?-?cap{1,2}el{1,2}a|ac{1,2}ap{1,2}el{1,2}a|acap|aca)`
const BARS = String.raw`\d{1,2}[\s-]?(?:bars?|beats?|counts?)`
const BPM_RANGE = String.raw`(\d{2,3})\s*(?:-|–|to|>|->)\s*(\d{2,3})(?:\s*bpm)?`

/**
 * Longer forms come before the shorter ones they end with. `remix`: the kind of remix when a name is in front of the
 * form.
 */
const FORMS: { form: RegExp; word: string; rank: number; remix?: string }[] = [
  ...form(
    `(?:transition|seg(?:ue|way))\\s*${BPM_RANGE}|${BPM_RANGE}\\s*transition|transition|seg(?:ue|way)`,
    'Transition',
    24,
  ),
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
/** Services that add intros and clean versions: their name is the source of a file, not the remixer of the song. */
const POOL_NAME_PATTERN =
  /^(?:ck|club killers|crooklyn clan|dj ?city|bpm(?: supreme)?|zip ?dj|dms|direct music service|heavy hits|bar ?bangerz|crack ?4 ?djs|my ?mp3 ?pool|x-?mix|promo only|mastermix|late night record pool|lnrp|digital dj pool|ddp|franchise|smash ?vision|beatsource|beatjunkies|hmc|throwback)$/i
/** A name before version words that made the cut but did not remix the song: 'DJ Bob Intro', 'ASP Clean'. */
const REMIXER_PATTERN = /^(?:[Dd][Jj]\s.+|[A-Z0-9&]{2,5}|[^\s]+['’]s)$/
/** At most three words that begin with a capital or a digit: 'Jay Nice' in 'Jay Nice Intro Clean'. */
const SHORT_NAME = /^(?:[\p{Lu}\p{N}]\S*)(?: [\p{Lu}\p{N}&]\S*){0,2}$/u

const isRemixerName = (rest: string, labelWords: number): boolean =>
  REMIXER_PATTERN.test(rest) || POOL_NAME_PATTERN.test(rest) || (labelWords > 1 && SHORT_NAME.test(rest))

const titleCase = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

function remixKind(word: string): string {
  const plain = word.toLowerCase().replace('-', '')
  return REMIX_KINDS[plain] ?? titleCase(plain)
}

type ExtractionState = VersionInfo & { rest: string; kind?: string }

/** Removes known words from the end of the text until there are no more. */
function extractFromEnd(text: string): ExtractionState {
  const state: ExtractionState = { label: [], rest: text.trim() }
  for (;;) {
    state.rest = state.rest.replace(LOOSE_END, '')
    if (!extractForm(state) && !extractRemix(state) && !extractFiller(state)) return state
  }
}

function extractForm(state: ExtractionState): boolean {
  for (const { form, word, rank, remix } of FORMS) {
    const match = form.exec(state.rest)
    if (!match) continue
    const numbers = match.slice(1).filter(Boolean).map(Number)
    const [from, to] = numbers
    if (from && to) state.bpm = [from, to]
    state.label.push({ word: from && to ? `${word} ${from}-${to}` : word, rank })
    state.kind ??= remix
    state.rest = state.rest.slice(0, match.index)
    return true
  }
  return false
}

function extractRemix(state: ExtractionState): boolean {
  const match = REMIX.exec(state.rest)
  if (!match?.[1]) return false
  // In 'Extended Remix', the last word decides: an edit stays an edit, everything else is a remix.
  state.kind = remixKind(match[1])
  state.remix = { by: '', kind: state.kind }
  state.rest = state.rest.slice(0, match.index)
  return true
}

function extractFiller(state: ExtractionState): boolean {
  const match = FILLER.exec(state.rest)
  if (!match || match.index === 0) return false
  state.rest = state.rest.slice(0, match.index)
  return true
}

const isBareWord = (text: string) => /^(?:re)?mix$|^version$/i.test(text.trim())

function parseWholeText(text: string): VersionInfo | undefined {
  const { label, rest, remix, kind, bpm } = extractFromEnd(text)
  const isPlainEdit = remix !== undefined && /mix|edit/i.test(remix.kind) && !/remix|rmx/i.test(text)
  if (rest === '') {
    if (label.length > 0) return { label, bpm, remix: isPlainEdit ? undefined : remix }
    return remix?.kind === 'Edit' ? { label: [{ word: 'Edit', rank: 35 }] } : undefined
  }
  if (kind) {
    const isKindOnly = kind === 'VIP' || kind === 'Redrum'
    return { label: isKindOnly ? label.filter(({ word }) => word !== kind) : label, bpm, remix: { by: rest, kind } }
  }
  if (label.length > 0 && isRemixerName(rest, label.length)) return { label, bpm }
  // '(CK Cut)' only says which pool a file is from.
  return rest !== text.trim() && POOL_NAME_PATTERN.test(rest) ? { label } : undefined
}

/**
 * Parses 'Intro - Dirty', 'X Extended Remix', 'Transition 98-128'. Undefined for other texts, and for a bare '(Remix)',
 * which should stay in the title.
 */
export function parseVersionInfo(text: string): VersionInfo | undefined {
  const byMatch = /^(?:remix|remixed|rmx) by (.+)$/i.exec(text.trim())
  if (byMatch?.[1]) return { label: [], remix: { by: byMatch[1].trim(), kind: 'Remix' } }
  if (isBareWord(text)) return undefined
  const whole = parseWholeText(text)
  if (whole && !whole.remix) return whole
  const parts = text.split(/\s+[-–—]\s+|\s*,\s+/)
  const parsedParts = parts.length > 1 ? parts.map(parseWholeText) : [undefined]
  if (parsedParts.every((part) => part !== undefined)) return parsedParts.reduce(joinWords)
  return whole
}

/** Combines two brackets of a title. */
export const joinWords = (a: VersionInfo, b: VersionInfo): VersionInfo => ({
  label: [...a.label, ...b.label],
  remix: a.remix ?? b.remix,
  bpm: a.bpm ?? b.bpm,
})

/** Returns the same label for any order of these words: 'Extended Intro Dirty'. Undefined when there are none. */
export function labelOf(words: readonly LabelWord[]): string | undefined {
  const isSpecific = words.some(({ word }) => word !== 'Original')
  const uniqueWords = isSpecific ? words.filter(({ word }) => word !== 'Original') : words
  const sorted = [...uniqueWords].sort((a, b) => a.rank - b.rank || a.word.localeCompare(b.word))
  return [...new Set(sorted.map(({ word }) => word))].join(' ') || undefined
}
