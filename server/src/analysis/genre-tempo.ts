/** Usual tempo in BPM by a pattern of the genre's name. The first match counts, so narrower names come first. */
const USUAL_RANGES: [name: RegExp, range: [number, number]][] = [
  [/\b(drum and bass|drum n bass|dnb|d and b|jungle|liquid)\b/, [160, 180]],
  [/\b(hardcore|gabber|speedcore)\b/, [155, 200]],
  [/\b(hardstyle|rawstyle)\b/, [145, 165]],
  [/\bpsy ?trance\b/, [135, 150]],
  [/\btrance\b/, [126, 145]],
  [/\b(dubstep|riddim|brostep)\b/, [135, 155]],
  [/\b(juke|footwork)\b/, [150, 170]],
  [/\b(jersey|baltimore|bmore|philly) club\b/, [125, 145]],
  [/\b(melbourne bounce|big ?room|electro house|future rave)\b/, [124, 134]],
  [/\bamapiano\b/, [105, 118]],
  [/\bhip house\b/, [115, 130]],
  [/\bdisco house\b|\bnu disco\b/, [112, 128]],
  [/\bhard techno\b/, [138, 165]],
  [/\btechno\b/, [120, 145]],
  [/\bhouse\b/, [116, 132]],
  [/\b(uk garage|ukg|speed garage|2 step|bassline|grime)\b/, [125, 145]],
  [/\b(breakbeat|breaks)\b/, [115, 145]],
  [/\b(electro|edm|eurodance)\b/, [118, 150]],
  [/\bdisco\b/, [100, 135]],
  [/\bmoombahton\b/, [98, 118]],
  [/\bdembow\b/, [105, 130]],
  [/\b(reggaeton|perreo|urbano)\b/, [84, 110]],
  [/\b(dancehall|afrobeats?|afro ?pop|azonto)\b/, [88, 125]],
  [/\b(reggae|dub|ska|rocksteady)\b/, [65, 105]],
  [/\bsoca\b/, [108, 165]],
  [/\bbachata\b/, [110, 150]],
  [/\bmerengue\b/, [115, 185]],
  [/\bcumbia\b/, [80, 115]],
  [/\b(salsa|mambo)\b/, [80, 125]],
  [/\btrap\b/, [65, 100]],
  [/\b(hip ?hop|rap|boom bap|crunk|drill)\b/, [68, 110]],
  [/\b(r and b|rnb|rhythm and blues|neo soul)\b/, [60, 112]],
  [/\b(funk|soul)\b/, [80, 128]],
]

/**
 * Returns the usual range in BPM for a track of this genre, always under an octave, as a hint between half and double
 * tempo. Undefined for genres without a typical tempo: pop, rock, country.
 */
export function usualTempoRange(genreName: string): [number, number] | undefined {
  const words = genreName
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  return USUAL_RANGES.find(([name]) => name.test(words))?.[1]
}
