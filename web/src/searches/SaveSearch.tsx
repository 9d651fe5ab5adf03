import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react'
import { useEffect } from 'react'
import { create } from 'zustand'
import { format } from '../format/message.ts'
import { askToSignIn } from '../membership/pendingAction.ts'
import { isSignedIn } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { SavedSearchMenu } from './SavedSearchMenu.tsx'
import type { SavedSearch } from './savedSearches.ts'
import type { Query } from './searchQuery.ts'
import * as texts from './texts.ts'

export const SearchForm = lazyOnDemand(() => import('./SearchForm.tsx').then(({ SearchForm }) => SearchForm))

const useIsEditing = create(() => ({ isEditing: false }))

const setEditing = (isEditing: boolean) => useIsEditing.setState({ isEditing })

/** Opens the form on a page with search results. */
export const editSearch = () => setEditing(true)

type Props = { query: Query; saved: SavedSearch | undefined }

/** Saves the search on screen; if it is already saved, shows its name and its menu. */
export function SaveSearch({ query, saved }: Props) {
  const isEditing = useIsEditing((state) => state.isEditing)
  useEffect(() => () => setEditing(false), [])
  const title = saved && format(texts.savedAsName, { name: saved.name })
  return (
    <KeepFocus>
      {saved && title ? (
        <SavedSearchMenu search={saved} title={title} onEdit={() => setEditing(true)} linksToAll>
          {(opener) => (
            <Button title={title} style={{ maxWidth: 'min(320px, 100%)' }} {...opener}>
              <IconBookmarkFilled size={17} color="var(--accent-ink)" style={{ flex: 'none' }} aria-hidden />
              <span className="sr">{texts.savedAs} </span>
              <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{saved.name}</span>
            </Button>
          )}
        </SavedSearchMenu>
      ) : (
        <Button onClick={() => (isSignedIn() ? setEditing(true) : askToSignIn('saveSearch', []))}>
          <IconBookmark size={17} aria-hidden />
          {texts.saveSearch}
        </Button>
      )}
      {isEditing && <SearchForm query={query} saved={saved} onClose={() => setEditing(false)} />}
    </KeepFocus>
  )
}
