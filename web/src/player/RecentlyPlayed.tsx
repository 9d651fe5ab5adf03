import { player } from '@dubplate/contract'
import { IconHistory } from '@tabler/icons-react'
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

export function RecentlyPlayed() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <PlayedByMember />
  return (
    <Page title={texts.recentlyPlayed}>
      <MembersOnly icon={<IconHistory size={24} />}>{texts.signInToSeeHistory}</MembersOnly>
    </Page>
  )
}

function PlayedByMember() {
  const { page = 1 } = useSearch({ from: '/recentPlayed' })
  const { input } = useSongFilter()
  const queryResult = useApiQuery(player.recentPlayed, { page, ...input }, { keepPrevious: true })
  return (
    <Page
      title={texts.recentlyPlayed}
      note={queryResult.data ? format(texts.songCount, { count: queryResult.data.pagination.totalCount }) : ''}
    >
      <PagedSongs
        filterOf={{ list: 'recent' }}
        queryResult={queryResult}
        label={texts.recentlyPlayed}
        empty={page === 1 ? <NothingPlayedYet /> : <NoSongs page={page}>{texts.noSongsOnThisPage}</NoSongs>}
      />
    </Page>
  )
}

const NothingPlayedYet = () => (
  <EmptyState
    icon={<IconHistory size={24} />}
    title={texts.noSongsPlayedYet}
    action={
      <Link to="/" className={css.button} data-look="primary">
        {texts.explore}
      </Link>
    }
  >
    {texts.historyHint}
  </EmptyState>
)
