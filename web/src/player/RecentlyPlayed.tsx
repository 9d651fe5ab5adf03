import { player } from '@dubplate/contract'
import { IconHistory } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { PagedSongs } from '../catalogue/PagedSongs.tsx'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

export function RecentlyPlayed() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <PlayedByMember />
  return (
    <Page title="Recently played">
      <MembersOnly icon={<IconHistory size={24} />}>Sign in, and what you listen to is listed here.</MembersOnly>
    </Page>
  )
}

function PlayedByMember() {
  const { page = 1 } = useSearch({ from: '/recentPlayed' })
  const asked = useAsk(player.recentPlayed, { page }, { keepPrevious: true })
  return (
    <Page title="Recently played" note={asked.data ? plural(asked.data.pagination.totalCount, 'song') : ''}>
      <PagedSongs
        asked={asked}
        label="Recently played"
        empty={page === 1 ? <NothingPlayed /> : <NoSongs page={page}>There is nothing on this page.</NoSongs>}
      />
    </Page>
  )
}

const NothingPlayed = () => (
  <EmptyState
    icon={<IconHistory size={24} />}
    title="Nothing played yet"
    action={
      <Link to="/" className={css.button} data-look="primary">
        Explore
      </Link>
    }
  >
    A song is listed here once you have heard half a minute of it.
  </EmptyState>
)
