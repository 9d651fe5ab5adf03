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
      <MembersOnly icon={<IconHistory size={24} />}>Sign in to see the songs you’ve listened to.</MembersOnly>
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
        empty={page === 1 ? <NothingPlayed /> : <NoSongs page={page}>There are no songs on this page.</NoSongs>}
      />
    </Page>
  )
}

const NothingPlayed = () => (
  <EmptyState
    icon={<IconHistory size={24} />}
    title="No songs played yet"
    action={
      <Link to="/" className={css.button} data-look="primary">
        Explore
      </Link>
    }
  >
    Songs you’ve listened to for 30 seconds appear here.
  </EmptyState>
)
