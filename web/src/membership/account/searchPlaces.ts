export type Place = { id: string; name: string }

/** Without accents and case: `Österreich` is found by `oster`. */
const normaliseText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** The places with these words in their name; those that start with them come first. All for an empty search. */
export function searchPlaces(places: Place[], typed: string): Place[] {
  const searchText = normaliseText(typed)
  const found = places.filter(({ name }) => normaliseText(name).includes(searchText))
  const startsWithInput = ({ name }: Place) => normaliseText(name).startsWith(searchText)
  return [...found.filter(startsWithInput), ...found.filter((place) => !startsWithInput(place))]
}

/** The place with exactly this name, as a browser fills it in. */
export const findPlaceByName = (places: Place[], typed: string): Place | undefined =>
  places.find(({ name }) => normaliseText(name) === normaliseText(typed))
