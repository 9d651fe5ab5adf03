export type Place = { id: string; name: string }

/** Without accents and case: `Österreich` is found by `oster`. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** The places with these words in their name; those that begin with them come first. With nothing typed, all. */
export function placesLike(places: Place[], typed: string): Place[] {
  const words = plain(typed)
  const found = places.filter(({ name }) => plain(name).includes(words))
  const begins = ({ name }: Place) => plain(name).startsWith(words)
  return [...found.filter(begins), ...found.filter((place) => !begins(place))]
}

/** The place that is called exactly this, as a browser fills it in. */
export const placeCalled = (places: Place[], typed: string): Place | undefined =>
  places.find(({ name }) => plain(name) === plain(typed))
