import { support } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { fieldStyles } from '../../uploads/Field.tsx'
import css from './AnswerPicker.module.css'
import { findAnswers, wordsOf } from './savedReplies.ts'
import * as texts from './texts.ts'
import { askAnswersAnew } from './tickets.ts'

type Props = { ticketNumber: number; onPick: (html: string) => void; onClose: () => void }

/** Lets staff pick a saved reply, and loads it filled in for a ticket. */
export function AnswerPicker({ ticketNumber, onPick, onClose }: Props) {
  const { data, error, refetch } = useApiQuery(support.getSavedReplies, {})
  const [trouble, setTrouble] = useState('')
  const pick = async (savedReplyId: number) => {
    setTrouble('')
    try {
      const { html } = await callApi(support.fillSavedReply, {
        saved_reply_id: savedReplyId,
        ticket_number: ticketNumber,
      })
      void askAnswersAnew()
      onPick(html)
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.couldntInsertTheSavedReply)
      void askAnswersAnew()
    }
  }
  return (
    <Dialog title={texts.savedReplies} onClose={onClose}>
      <div className={css.picker}>
        {error && !data && (
          <ErrorState error={error} subject={texts.savedRepliesInSentence} retry={() => void refetch()} />
        )}
        {(data || !error) && <Choice answers={data?.answers} onChoose={(id) => void pick(id)} />}
        <p role="alert" className={css.trouble}>
          {trouble}
        </p>
      </div>
    </Dialog>
  )
}

type ChoiceProps = { answers: readonly support.SavedReply[] | undefined; onChoose: (savedReplyId: number) => void }

/**
 * A list filtered by what is typed: arrows move through it, Enter chooses. The field is shown before the replies have
 * loaded.
 */
function Choice({ answers, onChoose }: ChoiceProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [looked, setLooked] = useState('')
  const [at, setAt] = useState(0)
  const searchable = useMemo(() => (answers ?? []).map((one) => ({ ...one, words: wordsOf(one.answer) })), [answers])
  const found = findAnswers(searchable, looked)
  const active = found[Math.min(at, found.length - 1)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another option becomes active
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.saved_reply_id])
  const press = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key]
    if (event.key === 'Enter' && active) onChoose(active.saved_reply_id)
    else if (to !== undefined && found.length > 0) setAt((to + found.length) % found.length)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        data-autofocus
        className={fieldStyles.control}
        role="combobox"
        aria-label={texts.searchSavedRepliesLabel}
        placeholder={texts.search}
        autoComplete="off"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active.saved_reply_id}`}
        value={looked}
        onChange={({ target }) => {
          setLooked(target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={texts.savedReplies} className={css.list}>
        {found.map(({ saved_reply_id, title, words }, n) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={saved_reply_id}
            id={`${id}-${saved_reply_id}`}
            role="option"
            aria-selected={saved_reply_id === active?.saved_reply_id}
            onPointerMove={() => setAt(n)}
            onClick={() => onChoose(saved_reply_id)}
          >
            <b>{title}</b>
            <span>{words}</span>
          </div>
        ))}
      </div>
      {!answers && <div className={css.bone} aria-busy />}
      {answers?.length === 0 && (
        <p className={css.none}>
          {rich(texts.noSavedRepliesYetCreate, { link: (inside) => <Link to="/staff/answers">{inside}</Link> })}
        </p>
      )}
      <p role="status" className={answers?.length && found.length === 0 ? css.none : 'sr'}>
        {answers && answers.length > 0 && foundInWords(found.length)}
      </p>
    </>
  )
}

const foundInWords = (n: number) => (n === 0 ? texts.noSavedRepliesMatchYour : format(texts.savedRepliesFound, { n }))
