import { library } from '@dubplate/contract'
import { IconHeart } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { PagedSongs } from '../catalogue/PagedSongs.tsx'
import { useSongFilter } from '../catalogue/songFilter.ts'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

export function Favourites() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <FavouritesOfMember />
  return (
    <Page title={texts.favouriteSongs}>
      <MembersOnly icon={<IconHeart size={24} />}>{texts.signInToSaveFavourites}</MembersOnly>
    </Page>
  )
}

function FavouritesOfMember() {
  const { page } = useSearch({ from: '/favourite-songs' })
  const { input } = useSongFilter()
  const favouritesQuery = useApiQuery(library.favouriteIndex, { page: page ?? 1, ...input }, { keepPrevious: true })
  const isEmpty = (page ?? 1) === 1
  return (
    <Page
      title={texts.favouriteSongs}
      note={favouritesQuery.data ? format(texts.songCount, { count: favouritesQuery.data.pagination.totalCount }) : ''}
    >
      <PagedSongs
        queryResult={favouritesQuery}
        label={texts.favouriteSongs}
        rows={8}
        filterOf={{ list: 'favourites' }}
        empty={isEmpty ? <NoFavourites /> : <NoSongs page={page}>{texts.noSongsOnThisPage}</NoSongs>}
      />
    </Page>
  )
}

const NoFavourites = () => (
  <EmptyState
    icon={<IconHeart size={24} />}
    title={texts.noFavouritesYet}
    action={
      <Link to="/" className={css.button} data-look="primary">
        {texts.explore}
      </Link>
    }
  >
    {texts.noFavouritesHint}
  </EmptyState>
)
