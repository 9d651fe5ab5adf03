import { savedSearches } from '@dubplate/contract'
import { IconBookmark, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { format } from '../platform/message.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { Page } from '../ui/Page.tsx'
import { SavedRow } from './SavedRow.tsx'
import css from './SavedSearches.module.css'
import { useSavedSearches } from './savedSearches.ts'
import * as texts from './texts.ts'
import { useNames } from './useNames.ts'

/** The saved searches of a member, with the number of new songs in each. */
export function SavedSearches() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <MemberContent />
  return (
    <Page title={texts.savedSearches}>
      <MembersOnly icon={<IconBookmark size={24} />}>{texts.signInToSaveSearches}</MembersOnly>
    </Page>
  )
}

function MemberContent() {
  const { searches: cachedSearches, error, refetch } = useSavedSearches()
  const names = useNames()
  return (
    <Page
      title={texts.savedSearches}
      note={
        cachedSearches
          ? format(texts.ofSearches, { count: cachedSearches.length, max: savedSearches.MAX_SAVED_SEARCHES })
          : ''
      }
    >
      {error && !cachedSearches && (
        <ErrorState error={error} title={texts.couldntLoadYourSavedSearches} retry={() => void refetch()} />
      )}
      {!error && !cachedSearches && <Skeleton />}
      {cachedSearches && cachedSearches.length === 0 && <NoSearches />}
      {cachedSearches && cachedSearches.length > 0 && (
        <KeepFocus>
          <ul className={css.rows}>
            {cachedSearches.map((search) => (
              <SavedRow key={search.saved_search_id} search={search} names={names} />
            ))}
          </ul>
        </KeepFocus>
      )}
    </Page>
  )
}

const NoSearches = () => (
  <EmptyState
    icon={<IconBookmark size={24} />}
    title={texts.noSavedSearchesYet}
    action={
      <Link to="/search/result/{-$term}" params={{ term: undefined }} className={button.button} data-look="primary">
        <IconSearch size={16} aria-hidden />
        {texts.search}
      </Link>
    }
  >
    {texts.searchForMusicAndChoose}
  </EmptyState>
)

const Skeleton = () => (
  <ul className={css.rows} aria-busy aria-label={texts.loadingSavedSearches}>
    {Array.from({ length: 4 }, (_, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <li key={n} className={css.row} aria-hidden>
        <i className={css.bone} />
        <i className={css.bone} />
      </li>
    ))}
  </ul>
)
