export type Place = { id: string; name: string }

/** Without accents and case: `Österreich` is found by `oster`. */
const normaliseText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** The places with these words in their name; those that begin with them come first. With nothing typed, all. */
export function searchPlaces(places: Place[], typed: string): Place[] {
  const personalWords = normaliseText(typed)
  const found = places.filter(({ name }) => normaliseText(name).includes(personalWords))
  const startsWithInput = ({ name }: Place) => normaliseText(name).startsWith(personalWords)
  return [...found.filter(startsWithInput), ...found.filter((place) => !startsWithInput(place))]
}

/** The place that is called exactly this, as a browser fills it in. */
export const findPlaceByName = (places: Place[], typed: string): Place | undefined =>
  places.find(({ name }) => normaliseText(name) === normaliseText(typed))
