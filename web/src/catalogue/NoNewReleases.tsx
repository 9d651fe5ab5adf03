import { Link } from '@tanstack/react-router'
import css from '../ui/Button.module.css'
import { NoSongs } from './NoSongs.tsx'
import { toSectionParam } from './section.ts'
import * as texts from './texts.ts'
import { useSection } from './useSection.ts'

/**
 * The empty list of releases. Kuts are uploaded by members, so a pool or genre may have none: the text links to the
 * songs.
 */
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
