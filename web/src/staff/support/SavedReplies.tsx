import { support } from '@dubplate/contract'
import { IconMessages } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import forms from '../forms/Forms.module.css'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import css from './SavedReplies.module.css'
import { SavedReplyEdit } from './SavedReplyEdit.tsx'
import { SavedReplyRow } from './SavedReplyRow.tsx'
import { findAnswers, wordsOf } from './savedReplies.ts'
import * as texts from './texts.ts'

/** Saved replies for tickets. */
export const SavedReplies = () => (
  <StaffPage title={texts.savedReplies}>
    <Answers />
  </StaffPage>
)

function Answers() {
  const { data, error, refetch } = useApiQuery(support.getSavedReplies, {})
  const { find = '' } = useSearch({ from: '/staff/answers' })
  const navigate = useNavigate({ from: '/staff/answers' })
  const [open, setOpen] = useState<number | 'new'>()
  const close = () => setOpen(undefined)
  const answers = useMemo(() => data?.answers.map((one) => ({ ...one, words: wordsOf(one.answer) })), [data])
  const found = answers && findAnswers(answers, find)
  return (
    <>
      <div className={lists.bar}>
        <p className={`${forms.hint} ${css.hint}`}>{texts.inATicketReplyType}</p>
        <SearchField
          label={texts.searchSavedRepliesPlaceholder}
          value={find}
          onSearch={(find) => void navigate({ search: find ? { find } : {}, replace: true, resetScroll: false })}
        />
        {open !== 'new' && (
          <Button variant="primary" onClick={() => setOpen('new')}>
            {texts.newSavedReply}
          </Button>
        )}
      </div>
      {open === 'new' && <SavedReplyEdit onClose={close} />}
      {error && !data && (
        <ErrorState error={error} subject={texts.savedRepliesInSentence} retry={() => void refetch()} />
      )}
      {!data && !error && <ToCome />}
      {found?.length === 0 && open !== 'new' && <NoAnswers isNarrowed={find !== ''} />}
      {found && found.length > 0 && (
        <ul className={lists.cards} aria-label={texts.savedReplies}>
          {found.map((answer) => (
            <li key={answer.saved_reply_id}>
              {open === answer.saved_reply_id ? (
                <SavedReplyEdit answer={answer} onClose={close} />
              ) : (
                <SavedReplyRow answer={answer} onEdit={() => setOpen(answer.saved_reply_id)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const NoAnswers = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={<IconMessages size={24} />}
    title={isNarrowed ? texts.noMatchingSavedReplies : texts.noSavedRepliesYet}
  >
    {isNarrowed ? texts.tryFewerOrDifferentWords : texts.writeCommonRepliesOnceNames}
  </EmptyState>
)

const CARDS = 5

const ToCome = () => (
  <ul className={lists.cards} aria-busy aria-label={texts.loadingSavedReplies}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={`${lists.bone} ${css.bone}`} aria-hidden />
    ))}
  </ul>
)
