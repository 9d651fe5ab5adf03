import { IconDeviceLaptop, IconPlus } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { count } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import segments from '../ui/Segments.module.css'
import { BetterVersions } from './BetterVersions.tsx'
import css from './DjLibrary.module.css'
import { ImportPanel } from './ImportPanel.tsx'
import { LibraryCards } from './LibraryCards.tsx'
import { type Overview, useLibraries } from './libraries.ts'
import { useLibraryImport } from './libraryImport.ts'
import { MatchList, MatchSkeleton } from './MatchList.tsx'
import { DJ_LIBRARY_TABS, type DjLibraryTab } from './tabs.ts'
import * as texts from './texts.ts'

/** The libraries of a member's DJ programs, and what the pool has of them. */
export function DjLibrary() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <MemberContent />
  return (
    <Page title={texts.djLibrary}>
      <MembersOnly icon={<IconDeviceLaptop size={24} />}>{texts.signInToImport}</MembersOnly>
    </Page>
  )
}

function MemberContent() {
  const { data, error, refetch } = useLibraries()
  const [isAdding, setAdding] = useState(false)
  const isIdle = useLibraryImport(({ current }) => current.step === 'idle')
  const isEmpty = data?.libraries.length === 0 && data.imports.length === 0
  const add = () => {
    setAdding(true)
    scrollTo({ top: 0 })
  }
  const addButton = data && !isEmpty && isIdle && (
    <Button variant={isAdding ? 'plain' : 'primary'} onClick={() => setAdding(!isAdding)}>
      {!isAdding && <IconPlus size={16} aria-hidden />}
      {isAdding ? texts.close : texts.addLibrary}
    </Button>
  )
  return (
    <Page title={texts.djLibrary} note={noteOf(data)} actions={addButton}>
      {isEmpty && isIdle && <Introduction />}
      <ImportPanel libraries={data?.libraries ?? []} isOpen={isEmpty || isAdding} onSent={() => setAdding(false)} />
      {error && !data && <ErrorState error={error} title={texts.couldntLoadLibraries} retry={() => void refetch()} />}
      {!data && !error && <MatchSkeleton />}
      {data && !isEmpty && <LibraryCards overview={data} onImportAgain={add} />}
      {data && data.libraries.length > 0 && <LibraryTabs overview={data} />}
    </Page>
  )
}

function noteOf(data: Overview | undefined): string {
  if (!data || data.libraries.length === 0) return ''
  const { in_library, downloaded, owned } = data.songs
  return format(texts.ownedSongs, {
    owned: count(owned),
    in_library: count(in_library),
    downloaded: count(downloaded),
  })
}

/** What a library is good for. */
const Introduction = () => (
  <section className={css.intro} aria-labelledby="dj-library-intro">
    <h2 id="dj-library-intro">{texts.introTitle}</h2>
    <ul>
      {[texts.introMarks, texts.introDoubles, texts.introBetter].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </section>
)

const TAB_NAMES: Record<DjLibraryTab, string> = {
  review: texts.review,
  matched: texts.inThePool,
  not_found: texts.notInThePool,
  better: texts.better,
}

function LibraryTabs({ overview: { libraries } }: { overview: Overview }) {
  const { tab, library } = useSearch({ from: '/dj-library' })
  const sum = (name: 'to_review' | 'matched' | 'not_found') => libraries.reduce((total, each) => total + each[name], 0)
  const counts = { review: sum('to_review'), matched: sum('matched'), not_found: sum('not_found'), better: undefined }
  // Stays the same while files are decided.
  const [first] = useState<DjLibraryTab>(counts.review > 0 ? 'review' : 'better')
  const shown = tab ?? first
  const hasChosen = libraries.some(({ library_id }) => library_id === library)
  return (
    <>
      <nav className={`${segments.segments} ${css.tabs}`} aria-label={texts.filesByResult}>
        {DJ_LIBRARY_TABS.map((each) => (
          <Link
            key={each}
            to="/dj-library"
            search={{ tab: each, ...(hasChosen && each !== 'better' && { library }) }}
            resetScroll={false}
            activeOptions={{ exact: true }}
            aria-current={each === shown ? 'page' : undefined}
          >
            <span>
              {TAB_NAMES[each]}{' '}
              {counts[each] !== undefined && (
                <b className="num">{rich(texts.filesHidden, { count: counts[each], hidden })}</b>
              )}
            </span>
          </Link>
        ))}
      </nav>
      {shown === 'better' ? <BetterVersions /> : <MatchList key={shown} state={shown} libraries={libraries} />}
    </>
  )
}

const hidden = (inside: React.ReactNode) => <span className="sr">{inside}</span>
