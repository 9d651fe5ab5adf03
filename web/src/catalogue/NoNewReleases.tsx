import { Link } from '@tanstack/react-router'
import css from '../ui/Button.module.css'
import { NoSongs } from './NoSongs.tsx'
import { toSectionParam } from './section.ts'
import * as texts from './texts.ts'
import { useSection } from './useSection.ts'

/** A list of releases without songs. Kuts come from members, so a pool or a genre may have none: their songs are one step away. */
export function NoNewReleases({ page }: { page?: number | undefined }) {
  const { section } = useSection()
  if (section !== 'kuts') return <NoSongs page={page}>{texts.noReleasesInThisGenre}</NoSongs>
  const showSongs = (
    <Link
      to="."
      search={(search) => ({ ...search, page: undefined, ...toSectionParam('songs') })}
      resetScroll={false}
      className={css.button}
    >
      {texts.showSongs}
    </Link>
  )
  return (
    <NoSongs page={page} title={texts.noKutsHereYet} action={showSongs}>
      {texts.kutsAreEditsAndRemixes}
    </NoSongs>
  )
}
