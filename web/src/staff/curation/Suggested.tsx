import { curation } from '@dubplate/contract'
import { IconSparkles } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { imageAt } from '../../platform/media.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { Field } from '../../uploads/Field.tsx'
import forms from '../forms/Forms.module.css'
import lists from '../Lists.module.css'
import { isoOf, momentInWords } from '../moments.ts'
import css from './ListShelf.module.css'
import { ListLink } from './ListShelf.tsx'
import { STATE_NAMES, stateInWords } from './listEntry.ts'
import { suggest } from './programme.ts'
import * as texts from './texts.ts'

type StaffList = curation.StaffList
type Coming = StaffList & { visible_from: string | null }

/** The number of lists that members see in the sidebar. */
const SHOWN = 4

/** The suggested collection: the current one, the next one, and candidates. */
export function Suggested() {
  const { data, error, refetch } = useApiQuery(curation.getSuggested, {})
  if (error && !data)
    return <ErrorState error={error} subject={texts.suggestedSpotlights} retry={() => void refetch()} />
  if (!data) return <div className={lists.bone} aria-busy role="status" aria-label={texts.loadingSuggestedSpotlights} />
  return (
    <>
      <section className={lists.part}>
        <div className={lists.bar}>
          <SectionHead title={texts.current} />
        </div>
        <p className={lists.note}>{format(texts.membersSeeTheFirstNext, { SHOWN })}</p>
        {data.now.length === 0 && (
          <EmptyState icon={<IconSparkles size={24} />} title={texts.noSuggestedSpotlights}>
            {texts.theBlockIsHiddenFrom}
          </EmptyState>
        )}
        <Rows label={texts.currentSuggestions} lists={data.now} say={(list) => sinceInWords(list)} />
      </section>
      <section className={lists.part}>
        <div className={lists.bar}>
          <SectionHead title={texts.upcoming} />
        </div>
        {data.next.length === 0 && <p className={lists.note}>{texts.noUpcomingSuggestions}</p>}
        <Rows label={texts.upcomingSuggestions} lists={data.next} say={comesInWords} />
      </section>
      <SuggestAnother taken={new Set([...data.now, ...data.next].map(({ list_id }) => list_id))} />
    </>
  )
}

const sinceInWords = ({ published_at, suggested_from }: StaffList) =>
  format(texts.sinceDate, {
    time: momentInWords([published_at ?? '', suggested_from ?? ''].toSorted().at(-1) ?? ''),
  })

const comesInWords = ({ visible_from, state }: Coming) =>
  visible_from
    ? format(texts.fromDate, { visible_from: momentInWords(visible_from) })
    : format(texts.onceItsPublished, { state: STATE_NAMES[state] })

type RowsProps<T> = { label: string; lists: T[]; say: (list: T) => string }

const Rows = <T extends StaffList>({ label, lists: shown, say }: RowsProps<T>) =>
  shown.length > 0 && (
    <ul className={css.rows} aria-label={label}>
      {shown.map((list) => (
        <Row key={list.list_id} list={list} note={say(list)}>
          <TakeOut list={list} />
        </Row>
      ))}
    </ul>
  )

const Row = ({ list, note, children }: { list: StaffList; note: string; children: ReactNode }) => (
  <li className={css.row}>
    <img src={imageAt(list.image, 96)} alt="" width={56} height={56} loading="lazy" />
    <div className={css.words}>
      <ListLink list={list}>{list.title}</ListLink>
      <p>{note}</p>
      <p>{format(texts.songCount, { n: list.song_count })}</p>
    </div>
    <div className={css.does}>{children}</div>
  </li>
)

function TakeOut({ list }: { list: StaffList }) {
  const [isBusy, setBusy] = useState(false)
  const takeOut = async () => {
    setBusy(true)
    try {
      await suggest(list, { suggested: false, suggested_from: null })
      const back = { list_id: list.list_id, version: list.version + 1 }
      const run = () =>
        void suggest(back, { suggested: true, suggested_from: list.suggested_from }).catch((error) =>
          toastError(texts.couldntUndo, error),
        )
      void toast({
        message: format(texts.removedFromSuggestions, { title: list.title }),
        action: { label: texts.undo, run },
      })
    } catch (error) {
      void toastError(texts.couldntRemoveSuggestion, error)
    }
    setBusy(false)
  }
  return (
    <Button
      busy={isBusy}
      aria-label={format(texts.removeFromSuggestions, { title: list.title })}
      onClick={() => void takeOut()}
    >
      {texts.remove}
    </Button>
  )
}

function SuggestAnother({ taken }: { taken: ReadonlySet<number> }) {
  const [find, setFind] = useState('')
  const [from, setFrom] = useState('')
  const { data, error, refetch } = useApiQuery(curation.getLists, { kind: 'spotlight', find }, { keepPrevious: true })
  const free = (data?.lists ?? []).filter(({ list_id, state }) => !taken.has(list_id) && state !== 'ended')
  return (
    <section className={lists.part}>
      <div className={lists.bar}>
        <SectionHead title={texts.suggestASpotlight} />
      </div>
      <div className={css.choose}>
        <SearchField label={texts.searchSpotlightsByTitle} value={find} onSearch={(text) => setFind(text ?? '')} />
        <Field label={texts.suggestFrom} path="suggested_from" note={texts.leaveEmptyToSuggestIt}>
          {(control) => (
            <input {...control} type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
          )}
        </Field>
      </div>
      {error && !data && <ErrorState error={error} subject={texts.spotlightsInSentence} retry={() => void refetch()} />}
      {data && free.length === 0 && <p className={forms.hint}>{texts.noOtherSpotlightsMatchYour}</p>}
      <ul className={css.rows} aria-label={texts.spotlightsToSuggest}>
        {free.slice(0, 8).map((list) => (
          <Row key={list.list_id} list={list} note={stateInWords(list)}>
            <SuggestIt list={list} from={from} />
          </Row>
        ))}
      </ul>
    </section>
  )
}

function SuggestIt({ list, from }: { list: StaffList; from: string }) {
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      // From now on: then it comes first, regardless of when it was published.
      const at = isoOf(from) ?? (list.state === 'published' ? new Date().toISOString() : null)
      await suggest(list, { suggested: true, suggested_from: at })
      const { title } = list
      void toast({
        message: from
          ? format(texts.listSuggestedFrom, { title, from: momentInWords(isoOf(from) ?? '') })
          : format(texts.listSuggested, { title }),
      })
    } catch (error) {
      void toastError(texts.couldntSuggestSpotlight, error)
    }
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Button type="submit" busy={isBusy} aria-label={format(texts.suggestTitleLabel, { title: list.title })}>
        {texts.suggest}
      </Button>
    </form>
  )
}
