type Genre = { genre_id: number; name: string }

/** The genres somebody follows after they chose to follow one, or no longer; in the order of their names. */
export const followedAfter = (followed: readonly Genre[], genre: Genre, follow: boolean): Genre[] => {
  const others = followed.filter(({ genre_id }) => genre_id !== genre.genre_id)
  return follow ? [...others, genre].toSorted((a, b) => a.name.localeCompare(b.name, 'en')) : others
}
