type Genre = { genre_id: number; name: string }

/** The followed genres after following or unfollowing one, sorted by name. */
export const followedAfter = (followed: readonly Genre[], genre: Genre, follow: boolean): Genre[] => {
  const others = followed.filter(({ genre_id }) => genre_id !== genre.genre_id)
  return follow ? [...others, genre].toSorted((a, b) => a.name.localeCompare(b.name, 'en')) : others
}
