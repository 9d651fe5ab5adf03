import { library } from '@dubplate/contract'
import { IconHeart } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { PagedSongs } from '../catalogue/PagedSongs.tsx'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { MembersOnly } from './MembersOnly.tsx'

export function Favourites() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <FavouritesOfMember />
  return (
    <Page title="Favourite songs">
      <MembersOnly icon={<IconHeart size={24} />}>Sign in to save your favourite songs.</MembersOnly>
    </Page>
  )
}

function FavouritesOfMember() {
  const { page } = useSearch({ from: '/favourite-songs' })
  const asked = useAsk(library.favouriteIndex, { page: page ?? 1 }, { keepPrevious: true })
  const isEmpty = (page ?? 1) === 1
  return (
    <Page title="Favourite songs" note={asked.data ? plural(asked.data.pagination.totalCount, 'song') : ''}>
      <PagedSongs
        asked={asked}
        label="Favourite songs"
        rows={8}
        empty={isEmpty ? <NoFavourites /> : <NoSongs page={page}>There are no songs on this page.</NoSongs>}
      />
    </Page>
  )
}

const NoFavourites = () => (
  <EmptyState
    icon={<IconHeart size={24} />}
    title="No favourites yet"
    action={
      <Link to="/" className={css.button} data-look="primary">
        Explore
      </Link>
    }
  >
    Tap the heart on a song to save it here.
  </EmptyState>
)
